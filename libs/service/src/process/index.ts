export { EventStoreUrl, SecretsKey, ServiceConfig } from './config.ts';
export type { Dependencies, Opening, OpenedStore } from './dependencies.ts';
export { runProgram, type Program } from './run-program.ts';
export { runService } from './run-service.ts';
export type { Service } from './start-service.ts';
