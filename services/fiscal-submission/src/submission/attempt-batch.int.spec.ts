import type { EventStore } from '@svc/event-store';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { chainedAuthority, chainedLedger } from '../authorities/testing/chained-authority.ts';
import { NotSent } from '../sending/http.ts';
import { FiscalSystem } from '../testing/system.ts';
import type { Authority, Batch } from './authority.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { openSubmission } from './consumer.ts';
import type { Result } from './domain/facts.ts';
import { drive } from './drive.ts';

test('a process that begins after another with the same record neither counts that as silence nor shortens the wait that the authority asked for', async () => {
  const ledger = chainedLedger({ wait: 60_000 });
  const authorities = new Map([['chained', chainedAuthority({ most: 4 })]]);
  const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', http: ledger.http, authorities, pace: 'live' });
  const { context } = system.fiscal;
  const row = (await openSubmission(context, system.requested({ authority: 'chained' })))!;
  const breaker = new CircuitBreaker(1);
  for (let n = 1; n <= 9; n += 1) breaker.record({ _id: `doc${n}`, account: `acct${n}` }, false, 0);
  const { signal } = new AbortController();
  const release = (): void => undefined;
  const other = () => drive(context, new CircuitBreaker(1), row, { acquire: async () => undefined, release }, signal);
  await drive(context, breaker, row, { acquire: async () => void (await other()), release }, signal);
  expect(ledger.sendings).toEqual([1]);
  expect(breaker.isOpen()).toBe(false);
  expect((await context.paces.get(row.lane))?.next_at).toBeGreaterThan(context.clock.now() + 30_000);
  await system.close();
});

test('no process sees the outcome of a record before the wait that the same answer asks for', async () => {
  const ledger = chainedLedger({ wait: 60_000 });
  const authorities = new Map([['chained', chainedAuthority({ most: 4 })]]);
  const paces: number[] = [];
  const store = (own: EventStore): EventStore =>
    Object.assign(Object.create(own) as EventStore, {
      async append(...asked: Parameters<EventStore['append']>) {
        const isOutcome = asked[2].some(({ type }) => type === 'SubmissionRegistered');
        if (isOutcome) for await (const { next_at } of system.fiscal.context.paces.find({})) paces.push(next_at);
        return own.append(...asked);
      },
    });
  const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', http: ledger.http, authorities, pace: 'live', store });
  const { document_id } = await system.submit({ authority: 'chained' });
  await system.until(document_id, 'registered');
  expect(paces).toHaveLength(1);
  expect(paces[0]).toBeGreaterThan(system.fiscal.context.clock.now() + 30_000);
  await system.close();
});

test('where the wait cannot be stored the outcomes are, with what the answer gave', async () => {
  const ledger = chainedLedger({ wait: 60_000 });
  const authorities = new Map([['chained', chainedAuthority({ most: 4 })]]);
  const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', http: ledger.http, authorities, pace: 'live' });
  const { paces } = system.fiscal.context;
  const away = async (): Promise<never> => Promise.reject(new Error('the store is away'));
  Object.assign(paces, { insert: away, claim: away });
  const { document_id } = await system.submit({ authority: 'chained' });
  await system.until(document_id, 'registered');
  expect(ledger.sendings).toEqual([1]);
  await system.close();
});

const ORIGIN = 'http://127.0.0.1:1';
const { signal } = new AbortController();
const permit = { acquire: async () => undefined, release: () => undefined };

test('a process that judged a record before another one tried it sends nothing in the wait that follows', async () => {
  let calls = 0;
  const http = async (): Promise<never> => {
    calls += 1;
    throw new NotSent('nothing listens');
  };
  for (const most of [1, 4]) {
    calls = 0;
    const authorities = new Map([['chained', chainedAuthority({ most })]]);
    const system = new FiscalSystem({ simulatorUrl: ORIGIN, http, authorities, pace: 'live' });
    const { context } = system.fiscal;
    const row = (await openSubmission(context, system.requested({ authority: 'chained' })))!;
    const other = () => drive(context, new CircuitBreaker(1), row, permit, signal);
    await drive(context, new CircuitBreaker(1), row, { ...permit, acquire: async () => void (await other()) }, signal);
    expect(calls).toBe(1);
    expect(await system.attempts(row._id)).toHaveLength(1);
    await system.close();
  }
});

test('a process that stood still between the start of an attempt and its call sends nothing: another one may have gone on', async () => {
  for (const most of [1, 4]) {
    const ledger = chainedLedger();
    const authorities = new Map([['chained', chainedAuthority({ most })]]);
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const store = (own: EventStore): EventStore =>
      Object.assign(Object.create(own) as EventStore, {
        async append(...asked: Parameters<EventStore['append']>) {
          const appended = await own.append(...asked);
          if (ahead === 0 && asked[2].some(({ type }) => type === 'AttemptStarted')) ahead = 13_000;
          return appended;
        },
      });
    const system = new FiscalSystem({ simulatorUrl: ORIGIN, http: ledger.http, authorities, clock, store });
    const { document_id } = await system.submit({ authority: 'chained' });
    await system.until(document_id, 'registered');
    expect(ledger.sendings).toEqual([1]);
    const attempts = await system.attempts(document_id);
    expect(attempts.map(({ outcome, error }) => error?.code ?? outcome)).toEqual(['not_sent', 'registered']);
    await system.close();
  }
});

test('two processes do not send records of one chain at once, though both wait for no other record', async () => {
  const of = chainedAuthority({ most: 2 });
  /** Puts off the record of this number. */
  let putOff = '';
  const outcomeOf = (number: string): Result =>
    number === putOff
      ? { kind: 'deferred', error: { code: 'busy', message: 'not now' } }
      : { kind: 'registered', code: number, registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
  const read: Batch['read'] = ({ body = '' }) => ({
    waitMs: 60_000,
    results: (JSON.parse(body) as { records: { number: string }[] }).records.map(({ number }) => outcomeOf(number)),
  });
  const authority = { ...of, batch: { ...(of.batch as Batch), read } } as Authority;
  const sent: string[][] = [];
  let gate = Promise.resolve();
  const http = async ({ body = '' }: { body?: string }) => {
    sent.push((JSON.parse(body) as { records: { number: string }[] }).records.map(({ number }) => number));
    await gate;
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  };
  const system = new FiscalSystem({ simulatorUrl: ORIGIN, http, authorities: new Map([['chained', authority]]), pace: 'live' });
  const { context } = system.fiscal;
  const { rows, clock, paces } = context;
  await system.fiscal.worker.stop();
  const numbers = ['N1', 'N2', 'N3', 'N4'];
  const ids: string[] = [];
  const run = async (n: number) => drive(context, new CircuitBreaker(1), (await rows.get(ids[n]!))!, permit, signal);
  const waitIsOver = async (): Promise<void> => {
    for await (const { _id, version } of paces.find({})) await paces.claim({ _id, version }, { set: { next_at: clock.now() } });
  };
  const hold = (): (() => void) => {
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    return held.resolve;
  };
  let open = hold();
  for (const number of numbers) ids.push((await openSubmission(context, system.requested({ authority: 'chained', number })))!._id);
  const first = run(0);
  await until(() => sent.length === 1);
  for (const n of [1, 2, 3]) await run(n);
  open();
  await first;
  putOff = 'N2';
  await waitIsOver();
  await run(1);
  expect(sent).toEqual([['N1'], ['N2', 'N3']]);
  putOff = '';
  await waitIsOver();
  open = hold();
  const one = run(1);
  await until(() => sent.length === 3);
  expect((await run(3)) ?? 0).toBeLessThanOrEqual(clock.now() + 1_000);
  expect(sent).toHaveLength(3);
  open();
  await one;
  expect((await run(3)) ?? 0).toBeGreaterThan(clock.now() + 30_000);
  expect(sent).toEqual([['N1'], ['N2', 'N3'], ['N2']]);
  await system.close();
});
