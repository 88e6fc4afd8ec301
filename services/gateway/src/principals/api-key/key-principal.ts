import type { BlockList } from 'node:net';
import type { Principal } from '../principal.ts';

/** The principal of an API key. */
export interface KeyPrincipal extends Principal {
  /** Milliseconds since 1970; Infinity: the key does not expire. */
  readonly goodUntil: number;
  /** Whether it may be used from an address; undefined: from any. */
  readonly allows: BlockList | undefined;
  /** The last minute since 1970 in which a use was recorded. */
  usedMinute: number;
}
