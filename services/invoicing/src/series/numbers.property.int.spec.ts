import { FakeClock, Refusal } from '@svc/kernel';
import type { UpdateIssuer } from '@svc/contracts/http/requests/issuer';
import fc from 'fast-check';
import { createCustomer } from '../customer/write.ts';
import { createInvoice } from '../invoice/create.ts';
import { submitInvoice } from '../invoice/submit.ts';
import { updateIssuer } from '../issuer/update.ts';
import { callerOf, dataFolder, openWorld } from '../open-world.suite.ts';
import { createReceipt } from '../receipt/create.ts';
import type { NumberTaken } from './numbering.ts';

const folder = dataFolder();
const clock = new FakeClock(Date.UTC(2026, 11, 30, 12));
const world = openWorld(folder.path, clock);
afterAll(() => {
  world.engine.close();
  folder.remove();
});
const { context, customers, issuers, ids } = world;

const kind = fc.constantFrom('standard' as const, 'credit_note' as const, 'receipt' as const);
const code = fc.constantFrom('A', 'A1', 'B', '1', '2026');
const format = fc.constantFrom(
  ...['{seq}/{year}', '{year}/{seq}', '{series}-{seq}', '{series}-{year}-{seq:3}', 'A-{seq}', 'A-2026-{seq}', '{seq}-1', '1-{seq}'],
  ...['{seq}/{year}/{device}', '{unit}/{seq}', '{seq}.{seq}', '{series}/{unit}/{device}/{seq:2}', '{year}-{series}-{seq}', '{seq}'],
);
const unit = fc.record({ code: fc.constantFrom('A', 'B', '2026', 'A/1'), devices: fc.subarray(['D1', 'D2', '1']) });
const patch: fc.Arbitrary<UpdateIssuer> = fc.oneof(
  fc.record({ kind, code }).map(({ kind: of, code: to }) => ({ series: { [of]: { code: to } } })),
  fc.record({ kind, format }).map(({ kind: of, format: to }) => ({ series: { [of]: { format: to } } })),
  fc
    .record({ kind, code, format, start: fc.constantFrom(1, 2, 2026) })
    .map(({ kind: of, ...settings }) => ({ series: { [of]: settings } })),
  fc.record({ country: fc.constantFrom('AL', 'FR', 'ME') }),
  fc.record({ units: fc.uniqueArray(unit, { selector: (one) => one.code, maxLength: 3 }) }),
);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ patch }) },
  {
    weight: 3,
    arbitrary: fc.record({ submit: fc.record({ series: fc.option(code, { nil: undefined }), times: fc.integer({ min: 1, max: 3 }) }) }),
  },
  { weight: 2, arbitrary: fc.record({ receipt: fc.record({ unit: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }) }) }) },
  { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 400 }) }) },
);

/** What is refused is refused; anything else is a defect. */
const allowed = async <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal && (error.code === 'validation_error' || error.code === 'invalid_state')) return undefined;
    throw error;
  });

async function run(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const account = `acct_${ids.next()}`;
  const identity = () => callerOf(world, account);
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

async function seriesOf(account: string): Promise<Map<string, NumberTaken[]>> {
  const all = new Map<string, NumberTaken[]>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = world.store.follow('start', async ({ events, caughtUp }) => {
    for (const { stream, type, data } of events) {
      if (type === 'NumberTaken' && stream.includes(account)) all.set(stream, [...(all.get(stream) ?? []), data as NumberTaken]);
    }
    if (caughtUp) resolve();
  });
  await promise;
  await stop();
  return all;
}

test('whatever settings change between submissions: no number twice, none missing in a series, one for each document', async () => {
  let numbered = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { account, numbers } = await run(steps);
      const series = await seriesOf(account);
      const taken = [...series.values()].flat();
      expect(new Set(numbers.values()).size).toBe(numbers.size);
      expect(new Map(taken.map(({ document, number }) => [document, number]))).toEqual(numbers);
      expect(taken).toHaveLength(numbers.size);
      for (const links of series.values()) links.forEach(({ seq }, n) => expect(seq).toBe((links[0]?.seq ?? 0) + n));
      numbered += numbers.size;
    }),
    { numRuns: 60 },
  );
  expect(numbered).toBeGreaterThan(100);
}, 60_000);
