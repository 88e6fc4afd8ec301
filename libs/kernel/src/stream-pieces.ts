import type { Recorded, Streams } from './stream.ts';
import type { Turn } from './turns.ts';

/** Of data that is parsed in one go: a millisecond, but for a single event. */
const PIECE_BYTES = 64 * 1024;
const PIECE_EVENTS = 1_000;

/** The events of a stream, some read at once; each piece has its `turn` before it is handed on, but for a stream that is one small piece. */
export async function* piecesOf(
  { read }: Pick<Streams, 'read'>,
  { stream, from = 0n, turn }: { stream: string; from?: bigint; turn: Turn },
): AsyncGenerator<Recorded[]> {
  for (let next = from; ;) {
    const piece = await read(stream, next, PIECE_EVENTS, PIECE_BYTES);
    if (piece.length === 0) return;
    const bytes = piece.reduce((sum, event) => sum + event.bytes, 0);
    const isLast = piece.length < PIECE_EVENTS && bytes < PIECE_BYTES;
    if (!isLast || next > from) await turn(bytes);
    yield piece;
    if (isLast) return;
    next += BigInt(piece.length);
  }
}
