import type { Recorded } from './stream.ts';

/**
 * A stored event of a type or version that this release does not know. The write side does not decide on it and a projection skips and
 * counts it. What meets it on the bus or in the relay is set aside for the release that knows it.
 */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor({ stream, type, metadata }: Pick<Recorded, 'stream' | 'type'> & { metadata: { v: number } }) {
    super(`${stream} holds ${type} v${metadata.v}, which this release does not know`);
  }
}
