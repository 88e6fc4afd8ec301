export * from './fate.ts';
export * from './faulty-store.ts';
export * from './journal.ts';
export * from './life.ts';
export * from './mortal-documents.ts';
export * from './random.ts';
export * from './unruly-bus.ts';
