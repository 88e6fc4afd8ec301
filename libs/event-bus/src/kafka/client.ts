import { Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs';
import type { BusLogger } from '../logger.ts';
import type { Cluster } from './cluster.ts';
import { createRequire } from 'node:module';
import { systemClock } from '@svc/kernel';

/** Some 3 s in all; afterwards the caller decides. */
const retry = { initialRetryTime: 100, maxRetryTime: 2_000, multiplier: 2, factor: 0.2, retries: 5 };

export interface ClientOptions extends Cluster {
  clientId: string;
  logger: BusLogger;
}

/** A client of the cluster. Errors of single connections are logged as warnings: callers report what follows from them. */
export function openKafka({ brokers, tls, sasl, clientId, logger }: ClientOptions): Kafka {
  const log = ({ namespace, log: { message, error, groupId } }: LogEntry): void => {
    if (!['Connection', 'BrokerPool'].includes(namespace)) logger.warn({ kafkajs: namespace, groupId, error }, message);
  };
  return new Kafka({
    ...{ brokers, clientId, connectionTimeout: 3_000, requestTimeout: 5_000, retry },
    ...(tls && { ssl: tls.ca === undefined ? true : { ca: tls.ca } }),
    // A copy: kafkajs writes into it.
    ...(sasl && { sasl: { ...sasl } as SASLOptions }),
    ...{ logLevel: logLevel.ERROR, logCreator: () => log },
  });
}

/** The members of a connection's queue that are used here; kafkajs does not export it. */
interface Queue {
  pending: unknown[];
  /** Ms since the epoch; -1 while the broker has not asked to wait. */
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

export const { prototype: queue } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: Queue };

const schedule = queue.scheduleCheckPendingRequests;

/**
 * Without anything to wait for, kafkajs 2.2.4 sets a timer of a negative delay, which Node makes 1 ms, and repeats it on every connection
 * (kafkajs#1751): an idle process with three connections took 5 % of a processor.
 */
queue.scheduleCheckPendingRequests = function scheduleIfNeeded(this: Queue): void {
  if (this.pending.length > 0 || this.throttledUntil > systemClock.now()) schedule.call(this);
};
