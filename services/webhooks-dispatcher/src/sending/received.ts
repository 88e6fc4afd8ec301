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
/** Read of a connection at once, and of an answer in one of its account's turns: a record of TLS. */
export const PIECE = 16 * 1024;
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

/** Takes what a connection receives, at most `PIECE`, in the order in which it comes. False: nothing more is read until the stream that it goes to asks for it. */
export type Take = (chunk: Buffer) => boolean;

const refuse = (stream: Duplex, code: Refusal): false => {
  stream.destroy(new Refused(code));
  return false;
};

/**
 * Takes the answers of a connection. Of each, which is all that comes from one request to the next, `stream` gets what the parser of HTTP may read. `requests`: the
 * socket to which requests are written.
 */
export function boundedAnswers(stream: Duplex, requests: Socket, account: string, shared: Shared): Take {
  let [sent, received] = [0, 0];

  const inTurn = (chunk: Buffer, left: number): void => {
    if (stream.destroyed) return;
    if (shared.answers.areTooHigh(account)) return void refuse(stream, 'ANSWERS_TOO_COSTLY');
    const before = process.threadCpuUsage();
    if (left > 0) stream.push(chunk.subarray(0, left));
    // The parser has read it then.
    process.nextTick(() => {
      shared.answers.charge(account, since(before));
      if (chunk.length > left) refuse(stream, 'ANSWER_TOO_LONG');
    });
  };

  return (chunk) => {
    const { bytesWritten } = requests;
    if (bytesWritten !== sent) [sent, received] = [bytesWritten, 0];
    const before = received;
    received += chunk.length;
    if (received <= UNMEASURED) return stream.push(chunk);
    // The clock has ticks that are longer than most answers take: only sums are true.
    if (before <= UNMEASURED) shared.answers.charge(account, -FREE_MS.answer);
    shared.turns(account, () => inTurn(chunk, MOST_OF_ANSWER - before));
    return false;
  };
}

/**
 * What the socket of a secure connection takes, as a stream for TLS. It begins with the handshake; from `answers` on the bytes of each answer are counted. `requests`:
 * the socket to which requests are written.
 */
export function boundedStream(
  socket: Socket,
  account: string,
  shared: Shared,
): { stream: Duplex; take: Take; answers(requests: Socket): void } {
  let answers: Take | undefined;
  let [bytesLeft, freeMs] = [MOST_OF_HANDSHAKE, FREE_MS.handshake];

  /** OpenSSL computes within `push`: what reads the stream is called by it. */
  const handshake = (chunk: Buffer): boolean => {
    if (shared.handshakes.areTooHigh(account)) return refuse(stream, 'HANDSHAKES_TOO_COSTLY');
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
    return answers ? answers(rest) : refuse(stream, 'HANDSHAKE_TOO_LONG');
  };

  const stream = new Duplex({
    read: () => void socket.resume(),
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
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.destroy());
  return {
    stream,
    take: (chunk) => (answers ? answers(chunk) : handshake(chunk)),
    answers: (requests) => void (answers = boundedAnswers(stream, requests, account, shared)),
  };
}

/** In milliseconds of this thread's processor time. */
function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
