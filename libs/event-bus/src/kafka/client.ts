import { Kafka, logLevel, type LogEntry, type SASLOptions } from 'kafkajs';
import type { BusLogger } from '../logger.ts';
import type { Cluster } from './cluster.ts';
import './quiet-queues.ts';

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
