import type { Clock, Env } from '@svc/kernel';
import { Counter, Gauge, Histogram } from '@svc/service';
import type { Breakers } from './circuit-breaker.ts';
import type { SubmissionEvent } from './domain/events.ts';
import type { ResultKind } from './domain/facts.ts';
import type { Collection } from '@svc/document-store';
import type { Row } from './row.ts';

export const attemptsTotal = new Counter({
  name: 'svc_authority_attempts_total',
  help: 'Calls to tax authorities by outcome',
  labelNames: ['authority', 'outcome'],
});

export const authoritySeconds = new Histogram({
  name: 'svc_authority_seconds',
  help: 'How long calls to tax authorities take',
  labelNames: ['authority', 'env'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

export const registrationSeconds = new Histogram({
  name: 'svc_registration_seconds',
  help: 'Time from the request for a registration to its fiscal code',
  labelNames: ['authority', 'env'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200, 172_800],
});

export const flawedTotal = new Counter({
  name: 'svc_submissions_flawed_total',
  help: 'Documents whose records an authority found wrong, as this software made them: registered with errors, or refused',
  labelNames: ['authority', 'env'],
});

const submissions = new Counter({
  name: 'svc_submissions_total',
  help: 'Documents that were opened for a tax authority, registered, rejected, delayed, given to review, cancelled',
  labelNames: ['authority', 'env', 'outcome'],
});

interface Measured {
  rows: Rows;
  breakers: Breakers;
  clock: Pick<Clock, 'now'>;
}

let measured: Measured | undefined;

new Gauge({
  name: 'svc_submissions_due',
  help: 'Submissions that are due and not claimed',
  async collect() {
    this.set(measured ? await measured.rows.count({ due_at: { $lte: measured.clock.now() } }) : 0);
  },
});

new Gauge({
  name: 'svc_authority_circuit_open',
  help: '1 while calls to an authority are suspended, because ten documents in a row got no answer; one document every 30 s is tried',
  labelNames: ['authority', 'env'],
  collect() {
    for (const env of ENVIRONMENTS)
      for (const [authority, breaker] of measured?.breakers[env] ?? []) this.set({ authority, env }, breaker.isOpen() ? 1 : 0);
  },
});

/** A gauge with a value for each authority and environment. */
const gaugeOfWaiting = (name: string, help: string, read: (of: Measured, authority: string, env: Env) => Promise<number>): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: ['authority', 'env'],
    async collect() {
      const of = measured;
      if (!of) return;
      for (const authority of idsOf(of.breakers))
        for (const env of ENVIRONMENTS) this.set({ authority, env }, await read(of, authority, env));
    },
  });

const ENVIRONMENTS: readonly Env[] = ['live', 'test'];
const idsOf = ({ live, test }: Breakers): ReadonlySet<string> => new Set([...live.keys(), ...test.keys()]);

gaugeOfWaiting('svc_submissions_waiting', 'Documents that wait for an answer of an authority', ({ rows }, authority, env) =>
  countWaiting(rows, { authority, env, waits_for: 'authority' }),
);
gaugeOfWaiting(
  'svc_submissions_in_review',
  'Documents that only an operator can bring on: the authority has another record, or none in time',
  ({ rows }, authority, env) => countWaiting(rows, { authority, env, waits_for: 'review' }),
);
gaugeOfWaiting(
  'svc_submissions_failing',
  'Documents at whose records the authority has failed at least five times in a row, with an answer each time',
  ({ rows }, authority, env) => rows.count({ authority, env, failing_since: { $gte: 0 } }),
);
/** So long before the authority takes a document no more, people are informed. */
export const SOON_MS = 12 * 3_600_000;
gaugeOfWaiting(
  'svc_submissions_deadline_soon',
  'Documents without a fiscal code that the authority takes for at most 12 hours more',
  ({ rows, clock }, authority, env) => rows.count({ authority, env, deadline_at: { $gt: clock.now(), $lte: clock.now() + SOON_MS } }),
);
gaugeOfWaiting(
  'svc_submissions_oldest_seconds',
  'How long the document has waited that waits longest for an answer of an authority; 0: none waits',
  async ({ rows, clock }, authority, env) => {
    const since = await oldestWaiting(rows, { authority, env });
    return since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000;
  },
);

const OUTCOMES = ['opened', 'registered', 'rejected', 'delayed', 'review', 'cancelled'] as const;
const RESULTS: ResultKind[] = ['registered', 'absent', 'rejected', 'foreign', 'cancelled', 'refused', 'deferred', 'unknown'];

/** Exports the queue and the circuit breakers of this process, and the counters of each authority from 0 on. */
export function measureSubmissions(of: Measured): void {
  measured = of;
  for (const authority of idsOf(of.breakers)) {
    for (const outcome of RESULTS) attemptsTotal.inc({ authority, outcome }, 0);
    for (const env of ENVIRONMENTS) for (const outcome of OUTCOMES) submissions.inc({ authority, env, outcome }, 0);
    for (const env of ENVIRONMENTS) authoritySeconds.zero({ authority, env });
    for (const env of ENVIRONMENTS) flawedTotal.inc({ authority, env }, 0);
    for (const env of ENVIRONMENTS) registrationSeconds.zero({ authority, env });
  }
}

/** Counts what stored events say of documents. */
export function countSubmissions(events: readonly SubmissionEvent[], env: Env): void {
  for (const event of events) {
    const found = outcomeOf(event);
    if (found) submissions.inc({ ...found, env });
  }
}

function outcomeOf({ type, data }: SubmissionEvent): { authority: string; outcome: (typeof OUTCOMES)[number] } | undefined {
  switch (type) {
    case 'SubmissionOpened':
      return { authority: data.authority, outcome: 'opened' };
    case 'AttemptEnded':
      return data.delayed ? { authority: data.delayed.authority, outcome: 'delayed' } : undefined;
    case 'SubmissionRegistered':
      return { authority: data.authority, outcome: 'registered' };
    case 'SubmissionRejected':
      return { authority: data.authority, outcome: 'rejected' };
    case 'ReviewRequired':
      return { authority: data.authority, outcome: 'review' };
    case 'CancellationRegistered':
      return { authority: data.authority, outcome: 'cancelled' };
    default:
      return undefined;
  }
}

export type Rows = Pick<Collection<Row>, 'find' | 'count'>;

interface Waiting {
  authority: string;
  env: Env;
  waits_for: 'authority' | 'review';
}

export const countWaiting = (rows: Rows, of: Waiting): Promise<number> => rows.count({ ...of });

/** Since when, in milliseconds, the document waits that has waited longest for the authority; undefined: none waits. */
export async function oldestWaiting(rows: Rows, of: Omit<Waiting, 'waits_for'>): Promise<number | undefined> {
  const filter = { ...of, waits_for: 'authority', waits_since: { $gte: 0 } } as const;
  for await (const { waits_since } of rows.find(filter, { sort: { waits_since: 1 }, limit: 1 })) return waits_since ?? undefined;
  return undefined;
}
