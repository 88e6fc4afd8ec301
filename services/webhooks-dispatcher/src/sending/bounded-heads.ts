import type { Socket } from 'node:net';
import { Refused } from './received.ts';

/** Fields of a head or a trailer. The parser of HTTP holds a buffer of 100 bytes for each name and each value until it is whole: 16 KiB of short ones took 1.7 MB. */
const MOST_LINES = 256;
const [LINE_FEED, RETURN, ONE, SPACE, SEMICOLON] = [0x0a, 0x0d, 0x31, 0x20, 0x3b];
const ENDS_SIZE = [LINE_FEED, RETURN, SPACE, SEMICOLON];
/** In `HTTP/1.1 200 OK`: where the status begins. */
const STATUS_AT = 9;

/** What the next byte belongs to. A body is read as chunks for as long as it has their form; `rest`: as anything else, or behind a trailer. */
type Part = 'head' | 'size' | 'chunk' | 'chunk end' | 'trailer' | 'rest';

/**
 * Has the socket, from which undici reads, end where the head or the trailer of an answer has more lines than it may, for requests that are written to it. It counts what is
 * read, so also within TLS.
 */
export function boundHeads(socket: Socket): void {
  const read = socket.read.bind(socket);
  let sent = 0;
  let part: Part = 'head';
  let [lines, length, isInformational] = [0, 0, false];
  /** Of a chunk. `isSize`: what was read of its line are digits. */
  let [size, isSize] = [0, true];

  const begin = (next: Part): void => void ([part, lines, length, size, isSize] = [next, 0, 0, 0, true]);

  /** A byte of a line; an empty line ends a head and a trailer, before a head it counts for nothing. */
  function takeLine(byte: number): void {
    if (byte === LINE_FEED) {
      if (length > 0) lines += 1;
      else if (part === 'trailer') begin('rest');
      else if (lines > 0) begin(isInformational ? 'head' : 'size');
      length = 0;
    } else if (byte !== RETURN) {
      if (lines === 0 && length === STATUS_AT) isInformational = byte === ONE;
      length += 1;
    }
  }

  /** A byte of the line before a chunk: its length in hexadecimal digits, then its extensions. A chunk of none is followed by the trailer. */
  function takeSize(byte: number): void {
    const digit = isSize ? digitOf(byte) : -1;
    if (digit >= 0) [size, length] = [size * 16 + digit, 1];
    else if (length === 0 || (isSize && !ENDS_SIZE.includes(byte))) begin('rest');
    else if (byte !== LINE_FEED) isSize = false;
    else if (size === 0) begin('trailer');
    else part = 'chunk';
  }

  function isTooLong(bytes: Buffer): boolean {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten;
      begin('head');
    }
    for (let n = 0; n < bytes.length && part !== 'rest'; n += 1) {
      const byte = bytes[n] as number;
      if (part === 'head' || part === 'trailer') takeLine(byte);
      else if (part === 'size') takeSize(byte);
      else if (part === 'chunk') {
        const skipped = Math.min(size, bytes.length - n);
        size -= skipped;
        n += skipped - 1;
        if (size === 0) part = 'chunk end';
      } else if (byte === LINE_FEED) begin('size');
      else if (byte !== RETURN) begin('rest');
      if (lines > MOST_LINES) return true;
    }
    return false;
  }

  socket.read = (asked?: number) => {
    const bytes = read(asked) as Buffer | null;
    if (bytes === null || !isTooLong(bytes)) return bytes;
    socket.destroy(new Refused('ANSWER_TOO_LONG'));
    return null;
  };
}

const DIGITS = Buffer.from('0123456789abcdefABCDEF');

/** -1: it is no hexadecimal digit. */
function digitOf(byte: number): number {
  const at = DIGITS.indexOf(byte);
  return at > 15 ? at - 6 : at;
}
