export * from './client.ts';
export * from './processes.ts';
export * from './program.ts';
export { freePort } from '@svc/kernel/testing/free-port';
export * from './receiver.ts';
export * from './servers.ts';
export * from './supervise.ts';
export * from './system.ts';
