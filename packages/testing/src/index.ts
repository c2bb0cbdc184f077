export * from './errors';
export * from './virtual-clock';
