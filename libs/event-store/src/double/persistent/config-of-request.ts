import type { CreateReq } from '@eventstore/db-client/generated/persistent_pb.js';
import { nameOf } from '../calls/proposed.ts';
import type { EventLog } from '../log/event-log.ts';
import { ALL, streamsOf, type FilterConfig, type GroupConfig } from './config.ts';

/** A revision of 2^64 - 1 is the end. */
const END = 2 ** 64;

/** What a request to create a group says; undefined when that is not enough. */
export function configOf(log: EventLog, options: CreateReq.Options | undefined): GroupConfig | undefined {
  const settings = options?.getSettings();
  if (options === undefined || settings === undefined) return undefined;
  const all = options.getAll();
  const source = all ? ALL : nameOf(options.getStream()?.getStreamIdentifier() ?? options.getStreamIdentifier());
  if (source === '' || options.getGroupName() === '') return undefined;
  return {
    source,
    group: options.getGroupName(),
    ...streamsOf(source, options.getGroupName()),
    start: all ? startInAll(log, all) : startInStream(log, source, options, settings),
    filter: all?.hasFilter() ? filterConfig(all) : undefined,
    resolveLinks: settings.getResolveLinks(),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeoutMs: settings.getMessageTimeoutMs(),
    maxRetryCount: settings.getMaxRetryCount(),
    checkpointAfterMs: settings.getCheckpointAfterMs(),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    readBatchSize: settings.getReadBatchSize(),
    historyBufferSize: settings.getHistoryBufferSize(),
  };
}

function startInAll(log: EventLog, all: CreateReq.AllOptions): number {
  if (all.hasEnd()) return (log.entry(log.end() - 1)?.position ?? 0) + 1;
  return Number(all.getPosition()?.getCommitPosition() ?? 0);
}

/** Newer clients say it beside the stream, older ones in the settings. */
function startInStream(log: EventLog, source: string, options: CreateReq.Options, settings: CreateReq.Settings): number {
  const stream = options.getStream();
  const revision = stream === undefined ? Number(settings.getRevision()) : stream.hasEnd() ? END : Number(stream.getRevision());
  return revision === END ? (log.stream(source)?.events.length ?? 0) : revision;
}

function filterConfig(all: CreateReq.AllOptions): FilterConfig {
  const byStream = all.getFilter()?.getStreamIdentifier();
  const expression = byStream ?? all.getFilter()?.getEventType();
  return { on: byStream ? 'stream' : 'type', prefixes: expression?.getPrefixList() ?? [], regex: expression?.getRegex() ?? '' };
}
