import type * as Testing from '@callwright/testing';

/** The test kit, loaded when a command needs it: the others start faster without. */
export function loadTesting(): typeof Testing {
  return require('@callwright/testing') as typeof Testing;
}
