import { BODY_LIMIT } from '@svc/contracts/http/route';
import { type Clock, DomainError, createFairQueue, idleMs, monotonicMs, systemClock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { type AdmissionLimits, createAdmission, type Held } from './admission.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** A body above this waits for its turn. Parsing it and what follows takes some milliseconds, and tens at the largest. */
const HEAVY = 16 * KIB;
/** The answer to a batch may need as much: it takes a permit, as any large answer does. */
const BATCH_ANSWER = MIB;

/** Of bodies that are received or wait. */
export type BodyLimits = AdmissionLimits;

/** An account's share holds the largest burst of a plan: 100 bodies of 256 KiB. */
export const usualBodyLimits: BodyLimits = {
  ...{ waitingPerAccount: 32 * MIB, waitingInAll: 128 * MIB, waitMs: 10_000 },
  ...{ graceMs: 1_000, leastRate: 64 * KIB },
};

/** Heavy bodies are received, then wait: those of batches and above 64 KiB for a permit, all for their account's turn. Only then they are parsed. */
export function createHeavyBodies(limits: BodyLimits, clock: Pick<Clock, 'now' | 'after'>) {
  const { waitMs } = limits;
  const admission = createAdmission(limits, clock);
  const held = new WeakMap<FastifyRequest, Held>();

  const release = (request: FastifyRequest): void => {
    const own = held.get(request);
    held.delete(request);
    own?.release();
  };

  const ownTurn = (request: FastifyRequest, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const { raw } = request.reply;
      const leave = (error?: DomainError): void => {
        giveUp();
        stopClock();
        raw.off('close', leaveGone);
        if (error) reject(error);
        else resolve();
      };
      const leaveGone = (): void => leave(gone());
      const stopClock = clock.after(waitMs, () => leave(tooMany()));
      let giveUp = (): void => undefined;
      raw.once('close', leaveGone);
      if (raw.destroyed) return leaveGone();
      giveUp = idleTurn(accountOf(request), bytes, leave);
    });

  return {
    /** Calls `done`, at once or when the body may be received; with service_unavailable where too much waits, as a body fails that is too slow while others wait. */
    admit(
      request: FastifyRequest,
      reply: FastifyReply,
      payload: Readable,
      done: (error: DomainError | null, payload?: Readable) => void,
    ): void {
      request.reply = reply;
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
      // Of unknown length it may have as many as its route takes.
      const bytes = encoding === undefined ? Number(length ?? 0) : request.routeOptions.bodyLimit;
      if (bytes <= HEAVY || bytes > request.routeOptions.bodyLimit || request.is404) return done(null, payload);
      if (reply.raw.destroyed) return done(gone()); // its bytes would be held for ever
      const { socket } = request.raw;
      let before = 0;
      let isReading = false;
      const leave = admission.enter({
        ...{ account: accountOf(request), bytes },
        received: () => socket.bytesRead - before,
        go(reserved) {
          before = socket.bytesRead;
          held.set(request, reserved);
          isReading = true;
          done(null, payload);
        },
        refuse() {
          held.delete(request);
          if (!isReading) return done(tooMany());
          // Whoever reads it answers with the error. Its connection is left as after any early response.
          payload.once('error', ignore).emit('error', tooMany());
        },
      });
      reply.raw.once('close', () => {
        leave();
        release(request);
      });
    },
    /** Resolves when a body that was received may be parsed; undefined: now. Rejects with service_unavailable, before any work. */
    turnOf(request: FastifyRequest, bytes: number): Promise<void> | undefined {
      held.get(request)?.arrived();
      if (bytes > HEAVY && !request.is404) return heavyTurn(request, bytes).finally(() => release(request));
      release(request);
      return undefined;
    },
    /** Resolves when the request may work on so many stored bytes; undefined: now. Rejects with service_unavailable. */
    storedTurnOf: (request: FastifyRequest, bytes: number): Promise<void> | undefined =>
      bytes > HEAVY ? heavyTurn(request, bytes) : undefined,
  };

  /** A permit first: where the work is done in several processes, the event loop of this one is idle while the others are busy with what it has sent. */
  async function heavyTurn(request: FastifyRequest, bytes: number): Promise<void> {
    const isBatch = request.routeOptions.bodyLimit > BODY_LIMIT;
    await request.turn(isBatch ? BATCH_ANSWER : bytes);
    await ownTurn(request, bytes);
  }
}

export type HeavyBodies = ReturnType<typeof createHeavyBodies>;

const ignore = (): void => undefined;
const accountOf = ({ identity }: FastifyRequest): string => identity?.account ?? '';

const gone = (): DomainError => new DomainError('service_unavailable', 'The caller has gone.');

const tooMany = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many large requests of this account or of all accounts wait. Nothing was done; send fewer at once, and repeat this one.',
    undefined,
    1,
  );

interface Waiting {
  bytes: number;
  go: () => void;
}

/** So long the event loop may be busy with what has come before and between. Then the next body has its turn nevertheless. */
const LONGEST_BUSY_MS = 50;
/** No limits: the bytes that wait are limited where they are received. */
const queue = createFairQueue<Waiting>({ waitingInAll: Infinity, waitingPerAccount: Infinity, known: 10_000 });
let count = 0;
let isLooking = false;
/** When the last body had its turn, and how long the event loop had been idle by then, in milliseconds. */
let last = { at: -Infinity, idle: -1 };

/**
 * Calls `go` when the account's turn has come: at once where the event loop has been idle since the body before, which means that everything that
 * was ready has been served. Turns go by bytes, of all servers of a process together: they share its event loop. Returns what gives the turn up.
 */
export function idleTurn(account: string, bytes: number, go: () => void): () => void {
  const waiting = { bytes, go };
  queue.add(account, waiting);
  count += 1;
  if (!isLooking) look();
  return () => {
    if (queue.remove(account, waiting)) count -= 1;
  };
}

/** A timer of its own for each look: an event loop that has nothing to do is idle until it fires. It is the machine's: what is measured is its time. */
function look(): void {
  const [at, idle] = [monotonicMs(), idleMs()];
  if (idle > last.idle || at - last.at >= LONGEST_BUSY_MS) {
    last = { at, idle };
    serveOne();
  }
  isLooking = count > 0;
  if (isLooking) systemClock.after(1, look);
}

function serveOne(): void {
  const taken = queue.take();
  if (!taken) return;
  count -= 1;
  queue.charge(taken.account, taken.job.bytes);
  taken.job.go();
}
