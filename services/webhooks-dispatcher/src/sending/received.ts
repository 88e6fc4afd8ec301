import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Costs } from './costs.ts';
import type { ParsingTurns } from './parsing-turns.ts';

/** Chains of certificates that browsers accept have 3 to 8 KiB. */
const MOST_OF_HANDSHAKE = 16 * 1024;
/** 64 KiB of body, 16 KiB of head, and as much again for what stands around them: records of TLS, chunks, informational answers. */
const MOST_OF_ANSWER = 96 * 1024;
/** Of an answer; ordinary ones are not longer. */
const UNMEASURED = 4 * 1024;
/** Of an answer in one of its account's turns: a record of TLS. */
const PIECE = 16 * 1024;
/** Processor time. Ordinary handshakes take 1 to 3 ms, answers of 64 KiB less than half of one. */
const FREE_MS = { handshake: 10, answer: 1 };

type Refusal = 'HANDSHAKE_TOO_LONG' | 'HANDSHAKES_TOO_COSTLY' | 'ANSWER_TOO_LONG' | 'ANSWERS_TOO_COSTLY';

/** What a receiver sends, or has cost, is more than it may. */
export class Refused extends Error {
  readonly code: Refusal;

  constructor(code: Refusal) {
    super(code);
    this.code = code;
  }
}

/** What accounts share. */
export interface Shared {
  handshakes: Costs;
  answers: Costs;
  turns: ParsingTurns;
}

/**
 * The socket as a stream, by which TLS and the parser of HTTP get of a receiver only what it may send. It begins with the handshake; from `answers` on
 * the bytes of each answer are counted, all that come from one request to the next. `requests`: the socket to which requests are written.
 */
export function boundedStream(socket: Socket, account: string, shared: Shared): { stream: Duplex; answers(requests: Socket): void } {
  let requests: Socket | undefined;
  let [bytesLeft, freeMs] = [MOST_OF_HANDSHAKE, FREE_MS.handshake];
  let [sent, received] = [0, 0];
  /** A piece waits for its turn. */
  let waits = false;

  const refuse = (code: Refusal): boolean => {
    stream.destroy(new Refused(code));
    return false;
  };

  /** OpenSSL computes within `push`: what reads the stream is called by it. */
  const handshake = (chunk: Buffer): boolean => {
    if (shared.handshakes.areTooHigh(account)) return refuse('HANDSHAKES_TOO_COSTLY');
    const [allowed, rest] = [chunk.subarray(0, bytesLeft), chunk.subarray(bytesLeft)];
    bytesLeft -= allowed.length;
    let goOn = true;
    if (allowed.length > 0) {
      const before = process.threadCpuUsage();
      goOn = stream.push(allowed);
      const ms = since(before);
      shared.handshakes.charge(account, Math.max(0, ms - freeMs));
      freeMs = Math.max(0, freeMs - ms);
    }
    if (rest.length === 0 || stream.destroyed) return goOn;
    return requests ? answer(rest, requests) : refuse('HANDSHAKE_TOO_LONG');
  };

  const answer = (chunk: Buffer, { bytesWritten }: Socket): boolean => {
    if (bytesWritten !== sent) [sent, received] = [bytesWritten, 0];
    const before = received;
    received += chunk.length;
    if (received <= UNMEASURED) return stream.push(chunk);
    // The clock has ticks that are longer than most answers take: only sums are true.
    if (before <= UNMEASURED) shared.answers.charge(account, -FREE_MS.answer);
    return inTurn(chunk, MOST_OF_ANSWER - before);
  };
  const inTurn = (chunk: Buffer, left: number): boolean => {
    waits = true;
    shared.turns(account, () => {
      waits = false;
      if (!stream.destroyed && piece(chunk, left)) socket.resume();
    });
    return false;
  };
  /** The parser reads what was pushed before the next piece, or the refusal of it. */
  const piece = (chunk: Buffer, left: number): boolean => {
    if (left <= 0) return refuse('ANSWER_TOO_LONG');
    if (shared.answers.areTooHigh(account)) return refuse('ANSWERS_TOO_COSTLY');
    const length = Math.min(PIECE, left, chunk.length);
    const before = process.threadCpuUsage();
    const goOn = stream.push(chunk.subarray(0, length));
    process.nextTick(() => shared.answers.charge(account, since(before)));
    return length === chunk.length ? goOn : inTurn(chunk.subarray(length), left - length);
  };

  const stream = new Duplex({
    read: () => void (waits || socket.resume()),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    // In one packet.
    writev(chunks, done) {
      socket.cork();
      chunks.forEach(({ chunk }, n) => socket.write(chunk as Buffer, n === chunks.length - 1 ? done : undefined));
      socket.uncork();
    },
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => (requests ? answer(chunk, requests) : handshake(chunk)) || socket.pause());
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.destroy());
  return { stream, answers: (its) => void (requests = its) };
}

/** In milliseconds of this thread's processor time. */
function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
