import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import type { SubscriptionInfo } from '@eventstore/db-client/generated/persistent_pb.js';
import { ALL } from './config.ts';
import type { Group } from './group.ts';

/** A group's state as it is shown to who manages it. */
export function infoOf(group: Group): SubscriptionInfo {
  const { config } = group;
  const { live, delivered, inFlight, again, parked, known } = group.info();
  const position = (value: number): string => (config.source === ALL ? `C:${value}/P:${value}` : String(value));
  return new persistent.SubscriptionInfo()
    .setEventSource(config.source)
    .setGroupName(config.group)
    .setStatus(live ? 'Live' : 'Behind')
    .setTotalItems(String(delivered))
    .setCountSinceLastMeasurement(String(delivered))
    .setLastKnownEventPosition(known === undefined ? '' : position(config.source === ALL ? known.position : known.revision))
    .setResolveLinkTos(config.resolveLinks)
    .setStartFrom(position(config.start))
    .setMessageTimeoutMilliseconds(config.messageTimeoutMs)
    .setExtraStatistics(config.extraStatistics)
    .setMaxRetryCount(config.maxRetryCount)
    .setLiveBufferSize(config.liveBufferSize)
    .setBufferSize(config.historyBufferSize)
    .setReadBatchSize(config.readBatchSize)
    .setCheckPointAfterMilliseconds(config.checkpointAfterMs)
    .setMinCheckPointCount(config.minCheckpointCount)
    .setMaxCheckPointCount(config.maxCheckpointCount)
    .setMaxSubscriberCount(config.maxSubscriberCount)
    .setRetryBufferCount(again)
    .setTotalInFlightMessages(inFlight)
    .setOutstandingMessagesCount(inFlight)
    .setNamedConsumerStrategy('RoundRobin')
    .setParkedMessageCount(String(parked));
}
