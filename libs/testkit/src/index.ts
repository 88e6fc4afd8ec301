export * from './client.ts';
export * from './processes.ts';
export * from './program.ts';
export { freePort } from '@svc/kernel/free-port.suite';
export * from './receiver.ts';
export * from './servers.ts';
export * from './supervise.ts';
export * from './system.ts';
