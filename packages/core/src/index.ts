export * from './clock';
export * from './link';
export * from './problem';
