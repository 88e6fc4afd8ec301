export * from './fault-injection.ts';
export * from './faulty-store.ts';
export * from './journal.ts';
export * from './lifetime.ts';
export * from './documents-until-crash.ts';
export * from './random.ts';
export * from './faulty-bus.ts';
