import { type Clock, Refusal } from '@svc/kernel';
import { Counter, type Logger, register } from '@svc/service';
import type { Dispatcher } from 'undici';
import { type Answer, exchange, type Outcome, type Client } from './exchange.ts';
import { beginHop } from './hop-span.ts';
import type { Upstream, Replica } from './upstream.ts';

/** What an upstream is asked. May be sent more than once: writes carry the id of their command, under which they are done once. */
export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Made anew for each try: the identity among them is short-lived. */
  headers: (traceparent: string | undefined) => Record<string, string>;
  /** The pattern of the path. */
  route: string;
  /** Of the span that asks. */
  traceparent: string | undefined;
  body: Buffer | null;
  /** Larger answers come as a stream. In bytes. */
  maxBuffered: number;
  /** Of the caller, for what only reads: it is given up when they go. */
  client: Client | undefined;
}

export type Send = (upstream: Upstream, request: UpstreamRequest) => Promise<Answer | 'aborted'>;

/** Waits between rounds over all replicas, in milliseconds: some 3 s, in which a single replica has started anew. */
const PAUSES = [25, 100, 200, 400, 700, 700, 900];
/** After this no further try begins. */
const LAST_TRY_MS = 30_000;
/** What a 503 asks for is waited for up to this long, in milliseconds: the caller waits too. */
const LONGEST_PAUSE_MS = 2_000;
/** A request that was twice cut off may be what fells those that take it: it is not carried to the next one. */
const MOST_CUTS = 2;

/**
 * Asks one replica of the upstream after the other until one answers. A read that one of them cannot answer for now (503) is asked once more:
 * at another replica, or where there is none after the time that the answer names; its second answer stands, whatever it is. Throws `service_unavailable` when none was reached or a read has no
 * answer, `outcome_unknown` when a write may have been carried out: what was sent too late to be answered is not sent again.
 */
export function createSender({ clock, logger }: { clock: Clock; logger: Logger }): Send {
  const failures = failureCounter();

  const fail = (upstream: Upstream, replica: Replica, { kind, error }: { kind: string; error: Error }): void => {
    failures.inc({ owner: upstream.name, upstream: upstream.name, kind });
    if (upstream.failed(replica))
      logger.warn({ upstream: upstream.name, origin: replica.origin, kind, reason: error.message }, 'a replica does not answer');
  };

  const tryOne = async (replica: Replica, request: UpstreamRequest, resends: number): Promise<Outcome> => {
    const { method, path, headers, body, maxBuffered, client } = request;
    const span = beginHop(replica, request, resends);
    const options = { method, path, headers: headers(span.traceparent), body } satisfies Dispatcher.DispatchOptions;
    replica.underWay += 1;
    try {
      const outcome = await exchange(replica.pool, options, { maxBuffered, client });
      span.end(outcome);
      return outcome;
    } finally {
      replica.underWay -= 1;
    }
  };

  return async (upstream, request) => {
    const isRead = request.method === 'GET';
    const lastTryAt = clock.now() + LAST_TRY_MS;
    let [cuts, tries] = [0, 0];
    let unavailable: Answer | undefined;
    const given = (): Refusal => (cuts > 0 && !isRead ? unknownOutcome() : unanswered());
    for (let round = 0; ; round += 1) {
      const tried: Replica[] = [];
      for (let replica = upstream.next(tried); replica !== undefined; replica = upstream.next(tried)) {
        const outcome = await tryOne(replica, request, tries++);
        if (outcome.kind === 'aborted') return 'aborted';
        if (outcome.kind === 'answered' && !isLeaving(outcome.answer)) {
          upstream.answered(replica);
          if (!isRead || unavailable !== undefined || !isUnavailable(outcome.answer)) return outcome.answer;
          unavailable = outcome.answer;
        } else {
          fail(upstream, replica, outcome.kind === 'answered' ? LEAVING : outcome);
          if (outcome.kind === 'late') throw isRead ? unanswered() : unknownOutcome();
          if (outcome.kind === 'cut' && (cuts += 1) === MOST_CUTS) throw given();
        }
        tried.push(replica);
      }
      const pause = round < PAUSES.length ? pauseAfter(unavailable, round) : Infinity;
      if (pause > LONGEST_PAUSE_MS || clock.now() + pause > lastTryAt) {
        if (unavailable !== undefined) return unavailable;
        throw given();
      }
      await clock.sleep(pause);
      if (request.client?.gone) return 'aborted';
    }
  };
}

const isUnavailable = ({ status, body }: Answer): boolean => status === 503 && Buffer.isBuffer(body);

/** In milliseconds: what an answer asks for in its Retry-After, in seconds; else that of the round. */
const pauseAfter = (unavailable: Answer | undefined, round: number): number =>
  unavailable === undefined ? (PAUSES[round] ?? Infinity) : 1_000 * Number(unavailable.headers['retry-after'] ?? 1);

const LEAVING = { kind: 'leaving', error: new Error('it is about to end') };
/** It did nothing and is about to end: others are there, or it will be back. */
const isLeaving = ({ status, headers, body }: Answer): boolean => status === 503 && headers.connection === 'close' && Buffer.isBuffer(body);

const unanswered = (): Refusal =>
  new Refusal(
    'service_unavailable',
    'The service behind this path does not answer at the moment. Nothing was done; try again.',
    undefined,
    1,
  );

const unknownOutcome = (): Refusal =>
  new Refusal('outcome_unknown', 'It is not known whether this was done. Repeat the request with the same Idempotency-Key.');

const NAME = 'svc_proxy_failures_total';
const failureCounter = (): Counter<'owner' | 'upstream' | 'kind'> =>
  (register.getSingleMetric(NAME) as Counter<'owner' | 'upstream' | 'kind'> | undefined) ??
  new Counter({
    name: NAME,
    help: 'Requests to services behind the gateway that got no answer, by service and kind.',
    labelNames: ['owner', 'upstream', 'kind'],
  });
