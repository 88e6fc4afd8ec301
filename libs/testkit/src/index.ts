export * from './client.ts';
export * from './receiver.ts';
export * from './system.ts';
