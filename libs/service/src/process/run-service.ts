import type { ServiceConfig } from './config.ts';
import { runProgram } from './run-program.ts';
import { startService, type Service } from './start-service.ts';

/**
 * Runs a service until a signal stops it: settings from the environment, adapters, Nest application, ports, health, traces. Servers that
 * are away are waited for, not ready. SIGTERM: not ready → no new connection, kept ones end → consumers → workers and followers, which
 * let their leases go → servers.
 */
export const runService = <C extends ServiceConfig, S = undefined>(service: Service<C, S>): Promise<void> =>
  runProgram({ ...service, start: (config, logger) => startService(service, config, logger) });
