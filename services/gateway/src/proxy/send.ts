import { type Clock, DomainError } from '@svc/kernel';
import { answeredWith, clientAttributes, contextOf, type Logger, SIGNS_HEADER, traceparentOf } from '@svc/service';
import type { Dispatcher } from 'undici';
import { type Answer, type Client, exchange, type Outcome } from './exchange.ts';
import { proxyFailures } from './metrics.ts';
import type { Replica, Upstream } from './upstream.ts';
import { SpanKind, trace } from '@opentelemetry/api';

/** A request to an upstream. It may be sent more than once: a write carries its command id, under which the service runs it once. */
export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Whose share of the connections it takes: an account, or the address of who opens a link. */
  holder: string;
  /** Created for each attempt, because the identity token in them is short-lived. */
  headers: (traceparent: string | undefined) => Record<string, string>;
  /** Pattern of the path, for the span. */
  route: string;
  /** Of the parent span. */
  traceparent: string | undefined;
  body: Buffer | null;
  /** Bytes. A larger response is a stream. */
  maxBuffered: number;
  /** The caller's connection, where the request is aborted when it closes: of reads, and of what waits for an outcome. */
  client: Client | undefined;
  /** Milliseconds until the response begins. */
  deadline: number;
  /** Milliseconds between two chunks of the response; absent: as the upstream's requests have. */
  bodyTimeout?: number;
  /** Present: it waits for an outcome, on a connection that no other request needs. */
  waits?: true;
}

export type Send = (upstream: Upstream, request: UpstreamRequest) => Promise<Answer | 'aborted'>;

/** Pauses between rounds over all replicas, in milliseconds: some 10 s, enough for the only pod of a service to be replaced. */
const PAUSES = [25, 100, 200, 400, 700, 700, 900, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000];
/** No attempt begins after this. */
const LAST_TRY_MS = 30_000;
/** The longest `Retry-After` of a 503 that is waited for, in milliseconds: the caller waits too. */
const LONGEST_PAUSE_MS = 2_000;
/** A request whose connection broke this often may crash the replicas, so no further one gets it. */
const MOST_CUTS = 2;
const MOST_HANGS = 2;
/** A 503 that took longer has waited for what is not there: asked again, it would wait as long again. */
const PATIENT_MS = 5_000;

/**
 * Sends a request to the replicas of an upstream, one after the other, until one answers. A read that is answered 503 is sent once more: to
 * another replica, or to the same one after its `Retry-After`, unless it took more than 5 s; the second response is final. A request that is not answered within its deadline by a replica that answers no other
 * one either is sent once more, on another connection: at most a tenth of the requests are such repeats. A replica that answers others is busy, and is waited for.
 * Throws `service_unavailable` when no replica was reached or a read has no response, `outcome_unknown` when a write may have been executed.
 */
export function createSender({ clock, logger }: { clock: Clock; logger: Logger }): Send {
  const fail = (upstream: Upstream, replica: Replica, { kind, error }: { kind: string; error: Error }): void => {
    proxyFailures.inc({ owner: upstream.name, upstream: upstream.name, kind });
    if (upstream.failed(replica))
      logger.warn(
        { upstream: upstream.name, origin: replica.origin, address: replica.address, kind, reason: error.message },
        'a replica does not answer',
      );
  };

  const tryOne = async (upstream: Upstream, replica: Replica, request: UpstreamRequest, resends: number): Promise<Outcome> => {
    const { method, path, holder, body, maxBuffered, client, waits, deadline, bodyTimeout = null } = request;
    const span = beginHop(replica, request, resends);
    const headers = { ...request.headers(span.traceparent), [SIGNS_HEADER]: '1' };
    const options = { method, path, headers, body, bodyTimeout } satisfies Dispatcher.DispatchOptions;
    const { pool } = replica;
    const end = waits ? () => undefined : upstream.begin(replica, holder);
    const askedAt = clock.now();
    let since = askedAt;
    // Behind a balancer the process that answers others may be another one: it is asked once more, and then waited for.
    const mayBeAnother = (): boolean => !replica.isOne && resends === 0 && upstream.hasRepeats();
    const isHung = (): boolean => {
      const isSilent = replica.heardAt <= since;
      since = clock.now();
      return isSilent || mayBeAnother();
    };
    // A process that has signs of life, and does not say that it is alive, hangs whatever another one answers.
    const looksHung = async (signAt: number): Promise<boolean> =>
      (await upstream.looksHung(replica, pool, Math.max(askedAt, signAt))) || ((signAt > 0 || replica.hasSigns) && mayBeAnother());
    try {
      const outcome = await exchange(pool, options, {
        maxBuffered,
        client,
        patience: {
          ...{ clock, deadline: Math.min(deadline, upstream.longestDeadline), isHung },
          ...{ look: upstream.look, looksHung, longest: upstream.longest, heard: () => upstream.heard(replica) },
        },
      });
      span.end(outcome);
      if (outcome.kind === 'hung') upstream.leave(replica, pool);
      return outcome;
    } finally {
      end();
    }
  };

  return async (upstream, request) => {
    const { holder } = request;
    const isRead = request.method === 'GET';
    let lastTryAt = clock.now() + LAST_TRY_MS;
    let [cuts, hangs, tries] = [0, 0, 0];
    let unavailable: Answer | undefined;
    let unreachedSince: number | undefined;
    const given = (): DomainError => (cuts + hangs > 0 && !isRead ? unknownOutcome() : unanswered());
    for (let round = 0; ; round += 1) {
      const tried: Replica[] = [];
      for (let replica = upstream.next(tried, holder); replica !== undefined; replica = upstream.next(tried, holder)) {
        const askedAt = clock.now();
        const outcome = await tryOne(upstream, replica, request, tries++);
        if (outcome.kind === 'aborted') return 'aborted';
        unreachedSince = outcome.kind === 'unreached' ? (unreachedSince ?? askedAt) : undefined;
        if (outcome.kind === 'answered' && !isLeaving(outcome.answer)) {
          upstream.answered(replica, SIGNS_HEADER in outcome.answer.headers);
          const wasPatient = clock.now() - askedAt > PATIENT_MS;
          if (!isRead || wasPatient || unavailable !== undefined || !isUnavailable(outcome.answer)) return outcome.answer;
          unavailable = outcome.answer;
        } else {
          fail(upstream, replica, outcome.kind === 'answered' ? LEAVING : outcome);
          if (outcome.kind === 'late') throw isRead ? unanswered() : unknownOutcome();
          if (outcome.kind === 'hung') {
            if ((hangs += 1) === MOST_HANGS || !upstream.mayRepeat()) throw given();
            lastTryAt = clock.now() + LAST_TRY_MS; // its deadline may be longer
          }
          if (outcome.kind === 'cut' && (cuts += 1) === MOST_CUTS) throw given();
        }
        tried.push(replica);
      }
      const pause = round < PAUSES.length ? pauseAfter(unavailable, round) : Infinity;
      const until = Math.min(lastTryAt, (unreachedSince ?? Infinity) + upstream.unreached);
      if (pause > LONGEST_PAUSE_MS || clock.now() + pause > until) {
        if (unavailable !== undefined) return unavailable;
        throw given();
      }
      await clock.sleep(pause);
      if (request.client?.gone) return 'aborted';
    }
  };
}

const isUnavailable = ({ status, body }: Answer): boolean => status === 503 && Buffer.isBuffer(body);

/** In milliseconds: the response's Retry-After (seconds), else the round's pause. */
const pauseAfter = (unavailable: Answer | undefined, round: number): number =>
  unavailable === undefined ? (PAUSES[round] ?? Infinity) : 1_000 * Number(unavailable.headers['retry-after'] ?? 1);

const LEAVING = { kind: 'leaving', error: new Error('the replica is shutting down') };
/** A replica that shuts down answers 503 with `connection: close` and has not executed the request. */
const isLeaving = ({ status, headers, body }: Answer): boolean => status === 503 && headers.connection === 'close' && Buffer.isBuffer(body);

const unanswered = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'The service behind this path does not answer at the moment. Nothing was done; try again.',
    undefined,
    1,
  );

const unknownOutcome = (): DomainError =>
  new DomainError('outcome_unknown', 'It is not known whether this was done. Repeat the request with the same Idempotency-Key.');

export interface HopSpan {
  /** For the request to the replica: of this span, or of the parent when tracing is off. */
  traceparent: string | undefined;
  end(outcome: Outcome): void;
}

interface RequestInfo {
  method: string;
  /** Pattern of the path. */
  route: string;
  /** Of the parent span; undefined: there is none, and background work starts no trace. */
  traceparent: string | undefined;
}

export function beginHop({ origin }: Replica, { method, route, traceparent }: RequestInfo, resends: number): HopSpan {
  if (traceparent === undefined) return { traceparent, end: () => undefined };
  const span = trace.getTracer('gateway').startSpan(`${method} ${route}`, { kind: SpanKind.CLIENT }, contextOf(traceparent));
  if (!span.isRecording()) return { traceparent, end: () => undefined };
  span.setAttributes({ ...clientAttributes(method, origin), 'url.template': route });
  if (resends > 0) span.setAttribute('http.request.resend_count', resends);
  return {
    traceparent: traceparentOf(span),
    end(outcome) {
      answeredWith(span, outcome.kind === 'answered' ? outcome.answer.status : null);
      span.end();
    },
  };
}
