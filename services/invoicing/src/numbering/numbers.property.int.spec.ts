import fc from 'fast-check';
import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { DomainError, FakeClock, plusDays, startOfDay } from '@svc/kernel';
import { createCustomer } from '../customer/write.ts';
import { createInvoice } from '../invoice/invoices.ts';
import { submitInvoice } from '../invoice/write.ts';
import { updateIssuer } from '../issuer/update.ts';
import { callerOf, dataFolder, openSystem, systemOn } from '../testing/open-system.ts';
import { createReceipt } from '../receipt/write.ts';
import type { NumberTaken } from './domain/numbering.ts';
import type { PatternClaimed } from './patterns.ts';

const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 11, 30, 12));
const system = openSystem(folder.path, clock);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, customers, issuers, ids } = system;

const RUNS = 50;

const kind = fc.constantFrom('standard' as const, 'credit_note' as const, 'receipt' as const);
const unit = fc.record({ code: fc.constantFrom('A', 'B', '2026', 'A/1'), devices: fc.subarray(['D1', 'D2', '1']) });

/** Random changes of an issuer with these codes, formats and starts. */
function stepsWith(codes: string[], formats: string[], starts: number[]) {
  const code = fc.constantFrom(...codes);
  const settings = fc.record({ code, format: fc.constantFrom(...formats), start: fc.constantFrom(...starts) }, { requiredKeys: [] });
  const patch: fc.Arbitrary<UpdateIssuer> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind, to: settings }).map(({ kind: of, to }) => ({ series: { [of]: to } })) },
    fc.record({ country: fc.constantFrom('AL', 'FR', 'ME') }),
    fc.record({ units: fc.uniqueArray(unit, { selector: (one) => one.code, maxLength: 3 }) }),
  );
  const times = fc.integer({ min: 1, max: 3 });
  const named = fc.option(code, { nil: undefined });
  return fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.record({ patch }) },
      { weight: 3, arbitrary: fc.record({ submit: fc.record({ series: named, times }) }) },
      { weight: 2, arbitrary: fc.record({ receipt: fc.record({ unit: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }) }) }) },
      { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 400 }) }) },
    ),
    { minLength: 5, maxLength: 25 },
  );
}
type Steps = ReturnType<typeof stepsWith> extends fc.Arbitrary<infer S> ? S : never;

const anything = stepsWith(
  ['A', 'A1', 'B', '1', '2026'],
  [
    ...['{seq}/{year}', '{year}/{seq}', '{series}-{seq}', '{series}-{year}-{seq:3}', 'A-{seq}', 'A-2026-{seq}', '{seq}-1', '1-{seq}'],
    ...['{seq}/{year}/{device}', '{unit}/{seq}', '{seq}.{seq}', '{series}/{unit}/{device}/{seq:2}', '{year}-{series}-{seq}', '{seq}'],
  ],
  [1, 2, 2026],
);
/** Nearly every pair of them can write the same number. */
const meeting = stepsWith(['A', 'B', '1', '2'], ['{seq}-1', '{seq}-2', '1-{seq}', '{series}-{seq}', '{seq}-{seq}'], [1, 2]);

/** Domain errors are expected; anything else is a defect. */
const allowed = async <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof DomainError && (error.code === 'validation_error' || error.code === 'invalid_state')) return undefined;
    throw error;
  });

async function run(steps: Steps) {
  const account = `acct_${ids.next()}`;
  const identity = () => callerOf(system, account);
  const customer = await createCustomer({ context, customers, identity: identity() }, { name: 'Jo' });
  const items = [{ description: 'x', unit_price: 1 }];
  const numbers = new Map<string, string>();
  const note = (made: { id: string; number: string | null } | undefined) => made?.number && numbers.set(made.id, made.number);
  const submit = async (series: string | undefined) => {
    const body = { customer_id: customer.id, items, ...(series === undefined ? {} : { series }) };
    const { id } = await createInvoice({ context, identity: identity() }, body);
    note(await allowed(submitInvoice({ context, identity: identity() }, { id, ifMatch: undefined, lateReason: null })));
  };
  for (const one of steps) {
    if ('days' in one) await clock.advance(one.days * 86_400_000);
    else if ('patch' in one)
      await allowed(updateIssuer({ context, issuers, identity: identity() }, { ifMatch: undefined, patch: one.patch }));
    else if ('submit' in one) await Promise.all(Array.from({ length: one.submit.times }, () => submit(one.submit.series)));
    else {
      const place = one.receipt.unit === undefined ? {} : { unit: one.receipt.unit };
      note(await allowed(createReceipt({ context, identity: identity() }, { items, payment_method: 'cash', ...place })));
    }
  }
  return { account, numbers };
}

type Stored = { stream: string } & ({ taken: NumberTaken } | { claimed: PatternClaimed });

async function storedSince(position: bigint | 'start', account: string, { store } = system): Promise<Stored[]> {
  const all: Stored[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = store.subscribe(position, async ({ events, caughtUp }) => {
    for (const { stream, type, data } of events) {
      if (!stream.includes(account)) continue;
      if (type === 'NumberTaken') all.push({ stream, taken: data as NumberTaken });
      if (type === 'PatternClaimed') all.push({ stream, claimed: data as PatternClaimed });
    }
    if (caughtUp) resolve();
  });
  await promise;
  await stop();
  return all;
}

describe.each([
  ['any settings', anything],
  ['settings with colliding patterns', meeting],
])('%s, changed between submissions', (_, steps) => {
  test('repeats no number, leaves no gap in a series, and gives each document one number', async () => {
    let [numbered, claims] = [0, 0];
    await fc.assert(
      fc.asyncProperty(steps, async (happening) => {
        const since = await system.store.head();
        const { account, numbers } = await run(happening);
        const stored = await storedSince(since, account);
        const taken = stored.flatMap((one) => ('taken' in one ? [{ stream: one.stream, ...one.taken }] : []));
        expect(new Map(taken.map(({ document, number }) => [document, number]))).toEqual(numbers);
        expect(taken).toHaveLength(numbers.size);
        expect(new Set(taken.map(({ number }) => number)).size).toBe(numbers.size);
        for (const links of Map.groupBy(taken, ({ stream }) => stream).values())
          links.forEach(({ seq }, n) => expect(seq).toBe((links[0]?.seq ?? 0) + n));
        numbered += numbers.size;
        claims += stored.length - taken.length;
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(numbered, claims)).toBeGreaterThan(RUNS);
  }, 120_000);
});

describe('invoices of two series, alone and in batches, and receipts at once, by two replicas, over a new year', () => {
  const time = new FakeClock(Date.UTC(2026, 11, 1));
  const first = openSystem(`${folder.path}/new-year`, time);
  const replicas = [first, systemOn(first, time)];
  afterAll(() => first.engine.close());

  const replica = fc.nat({ max: 1 });
  const series = fc.constantFrom('INV', 'WEB');
  /** Days after the last one of the old year; null: the day of numbering. */
  const day = fc.constantFrom(null, null, null, -1, 0, 1);
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ invoice: fc.record({ replica, series, day }) }) },
      { weight: 3, arbitrary: fc.record({ receipt: replica }) },
      { weight: 1, arbitrary: fc.record({ batch: fc.record({ replica, series, size: fc.integer({ min: 2, max: 5 }) }) }) },
      { weight: 1, arbitrary: fc.record({ seconds: fc.integer({ min: 1, max: 4 }) }) },
    ),
    { minLength: 10, maxLength: 40 },
  );
  const zone = fc.constantFrom('Pacific/Kiritimati', 'Europe/Tirane', 'America/Los_Angeles');

  /** Requests are made without waiting for each other; the year ends four seconds after the first. */
  async function runOverNewYear(timeZone: string, requests: typeof steps extends fc.Arbitrary<infer S> ? S : never) {
    const account = `acct_${ids.next()}`;
    const year = new Date(time.now()).getUTCFullYear();
    const last = `${year}-12-31`;
    await time.advance(startOfDay(timeZone, `${year + 1}-01-01`) - time.now() - 4_000);
    const on = (n: number) => {
      const { context: one, customers: known, issuers: settings } = replicas[n]!;
      return { context: one, customers: known, issuers: settings, identity: callerOf(first, account) };
    };
    await updateIssuer(on(0), { ifMatch: undefined, patch: { time_zone: timeZone } });
    const customer = await createCustomer(on(0), { name: 'Jo' });
    const items = [{ description: 'x', unit_price: 1 }];
    const work: Promise<{ id: string; number: string | null; issue_date?: string | null } | undefined>[] = [];
    const draft = (by: number, code: string, issue_date: string | null = null) =>
      createInvoice(on(by), { customer_id: customer.id, items, series: code, issue_date });
    const submit = (by: number, { id }: { id: string }) => submitInvoice(on(by), { id, ifMatch: undefined, lateReason: null });
    for (const one of requests) {
      if ('seconds' in one) await time.advance(one.seconds * 1_000);
      else if ('receipt' in one) work.push(createReceipt(on(one.receipt), { items, payment_method: 'cash' }));
      else if ('batch' in one) {
        const { replica: by, series: code, size } = one.batch;
        const drafts = Promise.all(Array.from({ length: size }, () => draft(by, code)));
        for (let n = 0; n < size; n += 1) work.push(drafts.then((all) => submit(by, all[n]!)));
      } else {
        const { replica: by, series: code, day: days } = one.invoice;
        work.push(allowed(draft(by, code, days === null ? null : plusDays(last, days)).then((made) => submit(by, made))));
      }
    }
    const made = (await Promise.all(work)).flatMap((one) => one ?? []);
    return { account, made };
  }

  test('each series has the numbers 1 to n of each year in the order of its dates, and each document one of them', async () => {
    let bothYears = 0;
    await fc.assert(
      fc.asyncProperty(zone, steps, async (timeZone, requests) => {
        const since = await first.store.head();
        const { account, made } = await runOverNewYear(timeZone, requests);
        const stored = await storedSince(since, account, first);
        const taken = stored.flatMap((one) => ('taken' in one ? [{ stream: one.stream, ...one.taken }] : []));
        expect(new Map(taken.map(({ document, number }) => [document, number]))).toEqual(
          new Map(made.map(({ id, number }) => [id, number])),
        );
        expect(new Set(taken.map(({ number }) => number)).size).toBe(made.length);
        for (const [stream, links] of Map.groupBy(taken, (link) => link.stream)) {
          const [, code, of] = /\.([A-Z]+)\.(\d{4})$/.exec(stream) ?? [];
          expect(links.map(({ seq, number }) => [seq, number])).toEqual(
            links.map((_, n) => [n + 1, `${code}-${of}-${String(n + 1).padStart(6, '0')}`]),
          );
          const dates = links.map(({ issue_date }) => issue_date);
          expect(dates).toEqual(dates.toSorted());
          expect(new Set(dates.map((date) => date.slice(0, 4)))).toEqual(new Set([of]));
        }
        if (new Set(taken.map(({ issue_date }) => issue_date.slice(0, 4))).size === 2) bothYears += 1;
      }),
      { numRuns: RUNS },
    );
    expect(bothYears).toBeGreaterThan(RUNS / 4);
  }, 120_000);
});
