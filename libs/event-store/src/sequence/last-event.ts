import type { Recorded, Streams } from '@svc/kernel';

const FIRST_PAGE = 64;

/**
 * The last event of a stream of any length, by reading forwards: strides that double until they overshoot, then halving. Some
 * 40 reads of one event for a million; one read for a short stream.
 */
export async function lastEvent(streams: Pick<Streams, 'read'>, stream: string): Promise<Recorded | undefined> {
  const page = await streams.read(stream, 0n, FIRST_PAGE);
  const known = page.at(-1);
  if (!known || page.length < FIRST_PAGE) return known;

  const at = async (revision: bigint): Promise<Recorded | undefined> => (await streams.read(stream, revision, 1))[0];
  let last = known;
  let stride = BigInt(FIRST_PAGE);
  for (let event = await at(last.revision + stride); event; event = await at(last.revision + stride)) {
    last = event;
    stride *= 2n;
  }
  let beyond = last.revision + stride;
  while (beyond - last.revision > 1n) {
    const middle = (last.revision + beyond) / 2n;
    const event = await at(middle);
    if (event) last = event;
    else beyond = middle;
  }
  return last;
}
