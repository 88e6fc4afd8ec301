import type { ServiceConfig } from './config.ts';
import { runProgram } from './run-program.ts';
import { startService, type Service } from './start-service.ts';

/**
 * Runs a service until a signal stops it: settings from the environment, adapters, Nest application, ports, health, traces. Waits for servers
 * that do not answer, and is not ready meanwhile. SIGTERM stops in this order: readiness, HTTP connections, consumers, workers and
 * subscriptions, which release their leases, server connections.
 */
export const runService = <C extends ServiceConfig, S = undefined>(service: Service<C, S>): Promise<void> =>
  runProgram({ ...service, start: (config, logger) => startService(service, config, logger) });
