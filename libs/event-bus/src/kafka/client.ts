import { Kafka, logLevel, type LogEntry } from 'kafkajs';
import type { BusLogger } from '../logger.ts';
import './quiet-queues.ts';

/** Some 3 s in all; afterwards the caller decides. */
const retry = { initialRetryTime: 100, maxRetryTime: 2_000, multiplier: 2, factor: 0.2, retries: 5 };

/** A client of the cluster. Errors of single connections are logged as warnings: callers report what follows from them. */
export function openKafka({ logger, ...options }: { brokers: string[]; clientId: string; logger: BusLogger }): Kafka {
  const log = ({ namespace, log: { message, error, groupId } }: LogEntry): void => {
    if (!['Connection', 'BrokerPool'].includes(namespace)) logger.warn({ kafkajs: namespace, groupId, error }, message);
  };
  return new Kafka({ ...options, connectionTimeout: 3_000, requestTimeout: 5_000, retry, logLevel: logLevel.ERROR, logCreator: () => log });
}
