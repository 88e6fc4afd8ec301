/** What a group was created with; kept in a system stream, so that a group outlives the server. */
export interface GroupConfig {
  /** A stream, or $all. */
  source: string;
  group: string;
  /** Of a stream the first revision, of $all the first position that is delivered. */
  start: number;
  /** Of $all only. */
  filter: FilterConfig | undefined;
  /** A stream's name. */
  parked: string;
  /** A stream's name. */
  checkpoints: string;
  resolveLinks: boolean;
  extraStatistics: boolean;
  messageTimeoutMs: number;
  maxRetryCount: number;
  checkpointAfterMs: number;
  minCheckpointCount: number;
  maxCheckpointCount: number;
  maxSubscriberCount: number;
  liveBufferSize: number;
  readBatchSize: number;
  historyBufferSize: number;
}
export interface FilterConfig {
  on: 'type' | 'stream';
  prefixes: string[];
  regex: string;
}

export const ALL = '$all';
/** Its own streams are no business of a group. */
export const OWN_STREAMS = /^(\$\$)?\$persistent[sS]ubscription/;

export const streamsOf = (source: string, group: string): Pick<GroupConfig, 'parked' | 'checkpoints'> => ({
  parked: `$persistentsubscription-${source}::${group}-parked`,
  checkpoints: `$persistentsubscription-${source}::${group}-checkpoint`,
});
