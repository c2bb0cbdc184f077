import type { VoiceLink } from '../../packages/testing/src/voice-link';
import type { BREAKS, Step } from './schedule';
import type { Wire } from './wire';

/** A step that breaks the link. */
export type LinkBreak = Extract<Step, { readonly does: 'break' }>;

/** Breaks the link in one of the ways in which links break. */
export function breakLink(link: VoiceLink, wire: Wire, how: (typeof BREAKS)[number]): void {
  switch (how) {
    case 'cut':
      return link.cut();
    case 'cut with loss':
      return wire.cutWithLoss();
    case 'half-open':
      return link.halfOpen();
    case 'silence':
      return link.silence();
    case 'reset agent':
      return wire.resetAgent();
    case 'half-close':
      return wire.halfClose();
    case 'stall':
      return wire.stall();
    case 'deaf':
      return wire.deafen();
  }
}
