import type { Recorded, Streams } from './stream.ts';
import type { Turn } from './turns.ts';

/** Of data that is parsed in one go: a millisecond, but for a single event. */
const PIECE_BYTES = 64 * 1024;
/** Asked for at first: what a server sends beyond the piece is lost. */
const FIRST_EVENTS = 16;
const MOST_EVENTS = 1_000;

/** The events of a stream, some read at once; each piece has its `turn` before it is handed on, but for a stream that is one small piece. */
export async function* piecesOf(
  { read }: Pick<Streams, 'read'>,
  { stream, from = 0n, turn }: { stream: string; from?: bigint; turn: Turn },
): AsyncGenerator<Recorded[]> {
  let max = FIRST_EVENTS;
  for (let next = from; ;) {
    const piece = await read(stream, next, max, PIECE_BYTES);
    const last = piece.at(-1);
    if (last === undefined) return;
    const bytes = piece.reduce((sum, event) => sum + event.bytes, 0);
    const isLast = piece.length < max && bytes < PIECE_BYTES;
    if (!isLast || next > from) await turn(bytes);
    yield piece;
    if (isLast) return;
    next = last.revision + 1n;
    max = Math.min(MOST_EVENTS, Math.ceil((2 * PIECE_BYTES * piece.length) / Math.max(1, bytes)));
  }
}
