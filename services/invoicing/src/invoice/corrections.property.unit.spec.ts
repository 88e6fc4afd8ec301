import { NetworkModel } from '@svc/event-store/testing/network-model';
import { createIds, decimal, sum, type Recorded } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { DocumentContext } from '../document/context.ts';
import { cancellation, outcomeEvent, registration, rejection, voidRefusal } from '../document/testing/outcomes.ts';
import { defaultIssuer } from '../issuer/issuers.ts';
import { account, callerOf, contextOn, customerId, driving, runOut, tenant, type Step } from '../testing/on-network.ts';
import { invoiceProcess } from './process.ts';
import { createInvoice, invoices } from './invoices.ts';
import { amountCredited, isHeld } from './domain/credits.ts';
import { evolve } from './domain/evolve.ts';
import { invoiceEvents } from './domain/events.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { reviseInvoice, submitInvoice } from './write.ts';

const SEEDS = 400;
const NOTES = 4;
const CRASHES = 2;
const TOTAL = '100';
const issuer = defaultIssuer(account, 'test');
const drive = driving(/is being numbered and holds no/);

const item = (amount: string) => {
  const isNegative = amount.startsWith('-');
  return { description: 'x', quantity: isNegative ? -1 : 1, unit_price: isNegative ? amount.slice(1) : amount, tax_rate: 0 };
};

/** An invoice of 100, and credit notes and correctives that together come to more, submitted, judged, voided and changed in any order, by processes that crash. */
async function simulate(seed: number) {
  const random = seeded(seed);
  const bytes = seeded(seed + 1_000_000);
  const model = new NetworkModel(random);
  const ids = createIds({ now: () => 1_768_478_400_000 }, (size) => Uint8Array.from({ length: size }, () => bytes() * 256));
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const call = (context: DocumentContext) => ({ context, identity: callerOf(ids) });
  const named = (id: string) => ({ id, ifMatch: undefined });
  let processes = 0;
  const context = () => contextOn(model, (processes += 1), ids, issuer);

  const eventsOf = (id: string): Recorded[] => model.stored(invoices.stream({ ...tenant, id }));
  const stateOf = (id: string): InvoiceState | null =>
    eventsOf(id)
      .map(invoiceEvents.decode)
      .reduce(evolve, null as InvoiceState | null);

  async function judge(on: DocumentContext, id: string, isRegistered: boolean): Promise<void> {
    const state = stateOf(id);
    if (!state || !isNumbered(state)) return;
    const about = (name: string, data: object) => outcomeEvent({ id: ids.next(), account, subject: id }, name, data);
    const { round } = state;
    const tell = async (name: string, data: object) => invoiceProcess.applyOutcome(on, about(name, data));
    if (state.status === 'submitting' && isRegistered) await tell('document-registered', { ...registration, round });
    if (state.status === 'submitting' && !isRegistered) await tell('document-rejected', { ...rejection('data'), round });
    if (state.status === 'voiding' && isRegistered) await tell('document-cancelled', cancellation);
    if (state.status === 'voiding' && !isRegistered) await tell('cancellation-refused', voidRefusal(eventsOf(id).length));
  }

  model.isFaulty = false;
  const first = context();
  const created = async (body: object): Promise<string> => {
    const [made] = await Promise.all([
      createInvoice(call(first), { customer_id: customerId, ...body } as Parameters<typeof createInvoice>[1]),
      runOut(model),
    ]);
    return made.id;
  };
  const done = (step: Step) => Promise.all([drive(first, step), runOut(model)]);
  const original = await created({ items: [item(TOTAL)] });
  const submit =
    (id: string): Step =>
    (on) =>
      submitInvoice(call(on), { ...named(id), lateReason: null });
  await done(submit(original));
  await done((on) => judge(on, original, true));
  const amounts = { credit_note: ['30', '60', '100'], corrective: ['-30', '-60', '25'] };
  const notes: string[] = [];
  for (let n = 0; n < NOTES; n += 1) {
    const type = oneOf(['credit_note', 'credit_note', 'corrective'] as const);
    notes.push(await created({ type, corrects: original, items: [item(oneOf(amounts[type]))] }));
  }

  const step = (): Step => {
    const id = oneOf(notes);
    const type = stateOf(id)?.content.type as keyof typeof amounts;
    const [amount, isRegistered] = [oneOf(amounts[type]), random() < 0.6];
    return oneOf<Step>([
      submit(id),
      submit(id),
      (on) => judge(on, id, isRegistered),
      (on) => judge(on, id, isRegistered),
      (on) => judge(on, id, isRegistered),
      (on) => reviseInvoice(call(on), { ...named(id), body: { items: [item(amount)] } }),
      async (on) => stateOf(id)?.status !== 'draft' && invoiceProcess.void(call(on), { ...named(id), reason: 'Returned' }),
      (on) => invoiceProcess.finish(on, { ...tenant, id }),
      (on) => (random() < 0.1 ? invoiceProcess.void(call(on), { ...named(original), reason: 'Returned' }) : Promise.resolve()),
    ]);
  };
  const start = (): number => {
    const on = context();
    for (let n = 0; n < 8; n += 1) {
      const doing = step();
      void on.clock.sleep(Math.floor(random() * 10_000)).then(() => drive(on, doing));
    }
    return processes;
  };
  model.isFaulty = true;
  const living = [start(), start()];
  for (let crashes = 0; crashes < CRASHES; crashes += 1) {
    await model.run(() => random() < 0.01);
    const [victim] = living.splice(Math.floor(random() * living.length), 1);
    model.kill(victim as number);
    living.push(start());
  }
  await runOut(model);
  model.isFaulty = false;
  const [other, last] = [context(), context()];
  for (let rounds = 0; rounds < 12; rounds += 1) await Promise.all([drive(other, step()), drive(last, step()), runOut(model)]);
  for (const id of notes) await Promise.all([drive(last, (on) => invoiceProcess.finish(on, { ...tenant, id })), runOut(model)]);
  const recorded = [original, ...notes].flatMap(eventsOf).sort((a, b) => Number(a.position - b.position));
  return { original, notes, recorded, stateOf, model };
}

/** What a correction takes of the original's total while it is with the authority or registered, and no void is complete. */
const LIVE: readonly string[] = ['submitting', 'submitted', 'voiding'];
const taking = (state: InvoiceState) => {
  const { content, totals } = state;
  if (!LIVE.includes(state.status)) return decimal('0');
  return content.type === 'credit_note'
    ? decimal(totals.total)
    : totals.total.startsWith('-')
      ? decimal(totals.total.slice(1))
      : decimal('0');
};

test('corrections never take more than the invoice, whatever is repeated, lost or left half done (400 seeds)', async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { original, notes, recorded, stateOf, model } = await simulate(seed);
    try {
      const states = new Map<string, InvoiceState | null>();
      for (const event of recorded) {
        states.set(event.stream, evolve(states.get(event.stream) ?? null, invoiceEvents.decode(event)));
        const all = [...states.values()].filter((state) => state !== null);
        const taken = sum(all.filter(({ id }) => id !== original).map(taking));
        expect([String(taken), taken.lte(TOTAL)]).toEqual([String(taken), true]);
        if (all[0]?.status !== 'submitted' && all.length > 1)
          expect(all.slice(1).filter(({ status }) => LIVE.includes(status))).toEqual([]);
        seen.set(event.type, (seen.get(event.type) ?? 0) + 1);
      }
      // At rest the original knows of each what it is.
      const { corrections = {} } = stateOf(original) as Extract<InvoiceState, { status: 'submitted' }>;
      for (const id of notes) {
        const state = stateOf(id) as InvoiceState;
        expect([id, state.status, isLive(state)]).toEqual([id, state.status, corrections[id] ? isHeld(corrections[id]) : false]);
        expect(['being_numbered', 'being_resubmitted']).not.toContain(state.status);
      }
      const credited = notes
        .map((id) => stateOf(id) as InvoiceState)
        .filter(({ status, content }) => status !== 'submitting' && LIVE.includes(status) && content.type === 'credit_note');
      expect(amountCredited({ corrections })).toBe(String(sum(credited.map(({ totals }) => decimal(totals.total)))));
      // No number is spent on what was refused.
      for (const [type, series] of [
        ['credit_note', 'CN'],
        ['corrective', 'COR'],
      ] as const) {
        const numbers = model.stored(`series-test.${account}.${series}.1970`).filter(({ type: of }) => of === 'NumberTaken');
        expect(numbers.length).toBe(
          notes.map((id) => stateOf(id) as InvoiceState).filter((state) => state.content.type === type && isNumbered(state)).length,
        );
      }
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  for (const type of ['Reserved', 'Refused', 'Applied', 'Released'])
    expect([type, (seen.get(`InvoiceCorrection${type}`) ?? 0) > 40]).toEqual([type, true]);
  expect(seen.get('InvoiceResubmitted')).toBeGreaterThan(20);
}, 240_000);

const isLive = ({ status }: InvoiceState): boolean => LIVE.includes(status);
