import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddRoutes } from '../index.ts';
import type { ServiceConfig } from './config.ts';
import type { Ground, OpenedStore, Opening } from './ground.ts';
import { runProgram } from './run-program.ts';
import { startService } from './start-service.ts';

/** What makes a service a process. */
export interface Service<C extends ServiceConfig, S = undefined> {
  /** As owners are called in the route table; identities are for it by this name. */
  name: string;
  /** The first line of `--help`. */
  about: string;
  config: new () => C;
  /** Its own database, without the namespace. */
  database: string;
  /** For a service with streams; a process that does not use the store never loads its client. */
  openStore?(opening: Opening<C>): OpenedStore & { store: S };
  module(ground: Ground<C, S>): DynamicModule;
  hooks?: ServiceHooks<C, S>;
}

export interface ServiceHooks<C extends ServiceConfig, S = undefined> {
  /** Puts hooks before the routes, in the place of those that take the gateway's identity. The app is not initialized yet. */
  before?(app: NestFastifyApplication, ground: Ground<C, S>): void | Promise<void>;
  /** What the operators' port has besides health and metrics. */
  operators?(app: NestFastifyApplication, ground: Ground<C, S>): AddRoutes;
  /** Runs when the port is open, before the process calls itself ready. */
  opened?(app: NestFastifyApplication, ground: Ground<C, S>): void | Promise<void>;
}

/**
 * Runs a service until a signal stops it: settings from the environment, adapters, Nest application, ports, health, traces. Servers that
 * are away are waited for, not ready. SIGTERM: not ready → no new connection, kept ones end → consumers → workers and followers, which
 * let their leases go → servers.
 */
export const runService = <C extends ServiceConfig, S = undefined>(service: Service<C, S>): Promise<void> =>
  runProgram({ ...service, start: (config, logger) => startService(service, config, logger) });
