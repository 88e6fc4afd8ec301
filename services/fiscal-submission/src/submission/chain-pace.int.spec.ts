import { chainedAuthority, chainedLedger } from '../authorities/testing/chained-authority.ts';
import { FiscalSystem } from '../testing/system.ts';
import { leaveChain, pacedUntil, setPace, takeChain } from './chain-pace.ts';

const authorities = new Map([['chained', chainedAuthority({ most: 4 })]]);
const system = new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', http: chainedLedger().http, authorities, pace: 'live' });
afterAll(() => system.close());
const { context } = system.fiscal;
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const now = context.clock.now();
const of = 'test chained';
let chains = 0;
const newChain = () => ({ chain: `chain-test.acct_1.${(chains += 1)}`, position: 1, batch: 4 });
const said = (next_at: number, said_at: number) => ({
  ...{ next_at, said_at, of, sent: 0, next: 'same' as const, records: 1, judged_at: undefined, batch: 4 },
});

test('a chain waits for what the last answer asks, by a clock that is right or differs by less than five minutes', async () => {
  const place = newChain();
  await setPace(context.paces, place.chain, said(now + MINUTE_MS, now));
  expect(await pacedUntil(context, place, now)).toBe(now + MINUTE_MS);
  expect(await pacedUntil(context, place, now - 4 * MINUTE_MS)).toBe(now + MINUTE_MS);
  expect(await pacedUntil(context, place, now + MINUTE_MS)).toBeUndefined();
});

test.each([HOUR_MS, 20 * 24 * HOUR_MS])(
  'a wait that a clock which was %d ms ahead has stored is kept from now on, as long as it was meant, and no longer',
  async (ahead) => {
    const place = newChain();
    await setPace(context.paces, place.chain, said(now + ahead + MINUTE_MS, now + ahead));
    const later = now + 5_000;
    expect(await pacedUntil(context, place, later)).toBe(later + MINUTE_MS);
    expect(await pacedUntil(context, place, later + 30_000)).toBe(later + MINUTE_MS);
    expect(await pacedUntil(context, place, later + MINUTE_MS)).toBeUndefined();
  },
);

test('one process sends of a chain at a time, until it has its answer, leaves the chain, or has surely ended', async () => {
  const place = { ...newChain(), of };
  const take = (at: number) => takeChain(context, place, at);
  expect(await take(now)).toBeUndefined();
  expect(await take(now)).toBe(now + 1_000);
  await leaveChain(context.paces, place.chain);
  expect(await take(now)).toBeUndefined();
  await setPace(context.paces, place.chain, said(now + MINUTE_MS, now));
  expect(await take(now)).toBe(now + MINUTE_MS);
  expect(await take(now + MINUTE_MS)).toBeUndefined();
  expect(await take(now + MINUTE_MS + 12_001)).toBeUndefined();
});

test('of processes that take a chain at once, one has it', async () => {
  const place = { ...newChain(), of };
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeChain(context, place, now)));
  expect(taken.filter((until) => until === undefined)).toHaveLength(1);
  await setPace(context.paces, place.chain, said(now, now));
  const again = await Promise.all(Array.from({ length: 8 }, () => takeChain(context, place, now)));
  expect(again.filter((until) => until === undefined)).toHaveLength(1);
});
