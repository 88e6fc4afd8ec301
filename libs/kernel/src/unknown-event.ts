import type { Recorded } from './stream.ts';

/**
 * A stored event of a type or version that this release does not know. The command handler rethrows this error and decides nothing; a
 * projection skips the event and counts it; consumers and the relay keep it for the release that knows it.
 */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor({ stream, type, metadata }: Pick<Recorded, 'stream' | 'type'> & { metadata: { v: number } }) {
    super(`${stream} holds ${type} v${metadata.v}, which this release does not know`);
  }
}
