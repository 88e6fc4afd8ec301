export { ServiceConfig } from './config.ts';
export type { Dependencies } from './dependencies.ts';
export { runProgram } from './run-program.ts';
export { runService } from './start-service.ts';
