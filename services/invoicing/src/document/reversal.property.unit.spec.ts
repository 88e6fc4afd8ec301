import { NetworkModel } from '@svc/event-store/testing/network-model';
import { createIds, type Recorded } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { DocumentContext } from './context.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { createInvoice, invoices } from '../invoice/invoices.ts';
import { submitInvoice } from '../invoice/write.ts';
import { defaultIssuer } from '../issuer/issuers.ts';
import { presetSeries } from '../issuer/domain/series-settings.ts';
import { createReceipt } from '../receipt/write.ts';
import { receiptProcess } from '../receipt/process.ts';
import { receipts } from '../receipt/receipts.ts';
import { account, callerOf, contextOn, customerId, driving, runOut, tenant, type Step } from '../testing/on-network.ts';
import type { NumberedDocument, VoidRequest } from './domain/state.ts';
import { outcomeEvent, registration, rejection } from './testing/outcomes.ts';

const SEEDS = 400;
const CRASHES = 3;
const issuer = {
  ...defaultIssuer(account, 'test'),
  country: 'AL',
  series: presetSeries({ country: 'AL', authority: 'sandbox' }),
  units: [{ code: 'U1', address: null, devices: ['D1'] }],
};
const items = [{ description: 'x', unit_price: 100, tax_rate: 20 }];

const drive = driving(/is being numbered and holds no|before it has its number|is created first/);

const kinds = {
  invoice: { documents: invoices, process: invoiceProcess, apply: invoiceProcess.applyOutcome, void: invoiceProcess.void },
  receipt: { documents: receipts, process: receiptProcess, apply: receiptProcess.applyOutcome, void: receiptProcess.void },
} as const;
const kindOf = (id: string) => kinds[id.startsWith('inv') ? 'invoice' : 'receipt'];

type State = NumberedDocument & { void?: VoidRequest | null; content: { corrects?: string | null } };

/** Registered documents, and a receipt whose registration is open, that are voided again and again, by processes that crash. */
async function simulate(seed: number) {
  const random = seeded(seed);
  const bytes = seeded(seed + 1_000_000);
  const model = new NetworkModel(random);
  const ids = createIds({ now: () => 1_768_478_400_000 }, (size) => Uint8Array.from({ length: size }, () => bytes() * 256));
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const call = (context: DocumentContext) => ({ context, identity: callerOf(ids) });
  let processes = 0;
  const context = () => contextOn(model, (processes += 1), ids, issuer);

  const eventsOf = (id: string): Recorded[] => model.stored(kindOf(id).documents.stream({ ...tenant, id }));
  const stateOf = (id: string): State | null => {
    const { decider, events } = kindOf(id).documents.definition as typeof invoices.definition;
    return eventsOf(id).map(events.decode).reduce(decider.evolve, null) as State | null;
  };
  const tell = async (on: DocumentContext, id: string, isRegistered: boolean): Promise<void> => {
    const state = stateOf(id);
    if (state?.fiscal?.status !== 'pending') return;
    const about = { id: ids.next(), account, subject: id };
    const [name, data] = isRegistered ? ['document-registered', registration] : ['document-rejected', rejection('data')];
    await kindOf(id).apply(on, outcomeEvent(about, name as string, { ...data, round: state.round }));
  };

  model.isFaulty = false;
  const first = context();
  const done = (step: Step) => Promise.all([drive(first, step), runOut(model)]);
  const originals: string[] = [];
  await done(async (on) => originals.push((await createInvoice(call(on), { customer_id: customerId, items })).id));
  await done((on) => submitInvoice(call(on), { id: originals[0] as string, ifMatch: undefined, lateReason: null }));
  await done(async (on) => originals.push((await createReceipt(call(on), { items, payment_method: 'cash' })).id));
  for (const id of [...originals]) await done((on) => tell(on, id, true));
  await done(async (on) => originals.push((await createReceipt(call(on), { items, payment_method: 'cash' })).id));

  /** The correctives that were ever asked for. */
  const correctivesOf = (id: string): string[] =>
    eventsOf(id).flatMap(({ type, data }) => (type.endsWith('ReversalRequested') ? [(data as { document: string }).document] : []));
  const step = (): Step => {
    const id = oneOf(originals);
    const corrective = oneOf([id, ...correctivesOf(id)]);
    const isRegistered = random() < 0.4;
    return oneOf<Step>([
      (on) => kindOf(id).void(call(on), { id, ifMatch: undefined, reason: 'Wrong customer' }),
      (on) => kindOf(id).void(call(on), { id: corrective, ifMatch: undefined, reason: 'Wrong customer' }),
      (on) => tell(on, corrective, isRegistered || corrective === id),
      (on) => tell(on, corrective, isRegistered || corrective === id),
      (on) => kindOf(id).process.finish(on, { ...tenant, id }),
      (on) => kindOf(id).process.finish(on, { ...tenant, id: corrective }),
    ]);
  };
  const start = (): number => {
    const on = context();
    for (let n = 0; n < 10; n += 1)
      // What there is to do is seen when it begins.
      void on.clock.sleep(Math.floor(random() * 10_000)).then(() => drive(on, step()));
    return processes;
  };
  model.isFaulty = true;
  const living = [start(), start()];
  for (let crashes = 0; crashes < CRASHES; crashes += 1) {
    await model.run(() => random() < 0.02);
    const [victim] = living.splice(Math.floor(random() * living.length), 1);
    model.kill(victim as number);
    living.push(start());
  }
  await runOut(model);
  model.isFaulty = false;
  const [other, last] = [context(), context()];
  for (let rounds = 0; rounds < 12; rounds += 1) await Promise.all([drive(other, step()), drive(last, step()), runOut(model)]);
  const finish = (id: string) => Promise.all([drive(last, (on) => kindOf(id).process.finish(on, { ...tenant, id })), runOut(model)]);
  // The job looks at what is left, and the authority answers for it.
  for (const id of originals) {
    await finish(id);
    for (const corrective of correctivesOf(id)) {
      await finish(corrective);
      await Promise.all([drive(last, (on) => tell(on, corrective, true)), runOut(model)]);
    }
  }
  return { originals, correctivesOf, eventsOf, stateOf, model };
}

const typesIn = (events: readonly Recorded[]): string[] => events.map(({ type }) => type.replace(/^Invoice|^Receipt/, ''));

test(`a void makes exactly one corrective, whatever is repeated, lost or left half done (${SEEDS} seeds)`, async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { originals, correctivesOf, eventsOf, stateOf, model } = await simulate(seed);
    try {
      for (const id of originals) {
        const state = stateOf(id) as State;
        const correctives = correctivesOf(id).map((corrective) => stateOf(corrective) as State | null);
        for (const type of typesIn(eventsOf(id))) seen.set(type, (seen.get(type) ?? 0) + 1);
        // Nothing is between two steps; each request has one answer, each corrective one number and one outcome.
        if (state.fiscal.status !== 'pending') expect([id, state.status]).not.toEqual([id, 'voiding']);
        const asked = typesIn(eventsOf(id)).filter((type) => /^(ReversalRequested|ReversalRefused|Voided)$/.test(type));
        if (state.fiscal.status === 'registered') {
          expect(asked.map((type, n) => (n % 2 === 0 ? type === 'ReversalRequested' : type !== 'ReversalRequested'))).not.toContain(false);
          expect(correctives.map((one) => one?.fiscal.status)).toEqual(
            correctives.map((_, n) => (state.status === 'voided' && n === correctives.length - 1 ? 'registered' : 'rejected')),
          );
        }
        for (const corrective of correctives.filter((one) => one !== null))
          expect([corrective.content.corrects, corrective.totals.total]).toEqual([id, `-${state.totals.total}`]);
      }
      for (const [stream, count] of [
        [`series-test.${account}.INV.1970`, 1 + correctivesOf(originals[0] as string).length],
        [
          `series-test.${account}.RCP.U1.D1.1970`,
          2 +
            originals
              .slice(1)
              .flatMap(correctivesOf)
              .filter((id) => stateOf(id) !== null).length,
        ],
      ] as const)
        expect([stream, model.stored(stream).filter(({ type }) => type === 'NumberTaken').length]).toEqual([stream, count]);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  for (const type of ['ReversalRequested', 'ReversalRefused', 'Voided']) expect([type, (seen.get(type) ?? 0) > 100]).toEqual([type, true]);
}, 240_000);
