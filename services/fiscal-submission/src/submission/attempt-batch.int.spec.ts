import type { EventStore } from '@svc/event-store';
import { chainedAuthority, chainedLedger } from '../authorities/testing/chained-authority.ts';
import { FiscalSystem } from '../testing/system.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { openSubmission } from './consumer.ts';
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
