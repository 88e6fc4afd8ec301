import type { Socket } from 'node:net';
import { Refused } from './received.ts';

/** Fields of a head. The parser of HTTP holds a buffer of 100 bytes for each name and each value until the head is whole: 16 KiB of short ones took 1.7 MB. */
const MOST_LINES = 256;
const [LINE_FEED, RETURN, ONE] = [0x0a, 0x0d, 0x31];
/** In `HTTP/1.1 200 OK`: where the status begins. */
const STATUS_AT = 9;

/**
 * Has the socket, from which undici reads, end where the head of an answer has more lines than it may, for requests that are written to it. It counts what is read, so
 * also within TLS.
 */
export function boundHeads(socket: Socket): void {
  const read = socket.read.bind(socket);
  let sent = 0;
  let [lines, length, isInformational, isBody] = [0, 0, false, false];

  const isTooLong = (chunk: Buffer): boolean => {
    if (socket.bytesWritten !== sent) [sent, lines, length, isInformational, isBody] = [socket.bytesWritten, 0, 0, false, false];
    for (let n = 0; n < chunk.length && !isBody; n += 1) {
      const byte = chunk[n];
      if (byte === LINE_FEED) {
        if (length > 0) lines += 1;
        // An empty line ends a head; before one it counts for nothing.
        else if (lines > 0) [lines, isBody] = [0, !isInformational];
        length = 0;
      } else if (byte !== RETURN) {
        if (lines === 0 && length === STATUS_AT) isInformational = byte === ONE;
        length += 1;
      }
      if (lines > MOST_LINES) return true;
    }
    return false;
  };

  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null;
    if (chunk === null || !isTooLong(chunk)) return chunk;
    socket.destroy(new Refused('ANSWER_TOO_LONG'));
    return null;
  };
}
