import { DomainError } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { deleteCustomer, eraseCustomer } from '../customer/write.ts';
import { cancellation, registration, rejection } from '../document/testing/outcomes.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { invoiceProcess } from './process.ts';
import { invoices } from './invoices.ts';
import { isFull } from './invoices.ts';
import { correcting, item, refusal } from './testing/correcting.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context } = system;

const { fixture, crashing } = correcting(system);

test('twenty credit notes of 10 at the same moment: ten are submitted, the others are refused and take no number', async () => {
  const s = await fixture();
  const notes = await Promise.all(Array.from({ length: 20 }, () => s.note(10)));
  const results = await Promise.all(notes.map((id) => refusal(s.submit(id))));
  expect(results.filter((result) => result === 'done')).toHaveLength(10);
  for (const result of results.filter((one) => one !== 'done')) expect(result).toEqual(['validation_error', 'corrects']);
  const shown = await Promise.all(notes.map(s.read));
  expect(shown.flatMap(({ number }) => (number ? [Number(number.slice(-6))] : [])).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, n) => n + 1),
  );
  expect(shown.filter(({ status }) => status === 'draft')).toHaveLength(10);
});

test('registration credits the original, which says so in its history; a void frees it', async () => {
  const s = await fixture();
  const id = await s.note(60);
  await s.submit(id);
  expect(await s.read(s.original)).toMatchObject({ amount_credited: 0, amount_due: 100, payment_status: 'unpaid' });
  await s.register(id);
  expect(await s.read(s.original)).toMatchObject({ amount_credited: 60, amount_due: 40, payment_status: 'partial', total: 100 });
  expect(await s.read(id)).toMatchObject({ type: 'credit_note', corrects: s.original, amount_due: 0, available_actions: ['void'] });
  const history = await invoices.history(s.call(), s.original);
  const entries = await Array.fromAsync(history.entries({ from: 0, to: history.total }, async () => undefined));
  expect(entries.map(({ version, type }) => `${version} ${type}`).slice(3)).toEqual(['4 registered', '5 updated', '6 updated']);
  expect(entries.at(-1)?.changes).toEqual({ amount_credited: 60, amount_due: 40, payment_status: 'partial' });
  await s.void(id);
  expect(await s.read(s.original)).toMatchObject({ amount_credited: 60 });
  await invoiceProcess.applyOutcome(context, s.event(id, 'document-cancelled', cancellation));
  expect(await s.read(s.original)).toMatchObject({ amount_credited: 0, amount_due: 100 });
  expect(await refusal(s.submit(await s.note(100)))).toBe('done');
});

test('what was rejected holds nothing: submitted again it is refused where others took the room, and keeps its number', async () => {
  const s = await fixture();
  const [first, second] = [await s.note(80), await s.note(80)];
  const { number } = await s.submit(first);
  expect(await refusal(s.submit(second))).toEqual(['validation_error', 'corrects']);
  await s.reject(first);
  await s.submit(second);
  expect(await refusal(s.submit(first))).toEqual(['validation_error', 'corrects']);
  await s.revise(first, { items: [item(20)] });
  await s.submit(first);
  await s.register(first, 2);
  expect(await s.read(first)).toMatchObject({ status: 'submitted', number, total: 20 });
  expect(await s.read(s.original)).toMatchObject({ amount_credited: 20 });
});

describe('an invoice that is credited line by line', () => {
  const prices = [68.33, 57.5, 85, 68.33];
  const taxed = (price: number) => [{ description: 'x', unit_price: price, tax_rate: 20 }];
  async function sold() {
    const s = await fixture();
    const corrects = await s.issued(await s.draft({ items: prices.flatMap(taxed) }));
    return { ...s, corrects, part: (price: number) => s.note(price, { corrects, items: taxed(price) }) };
  }
  const rest = {
    subtotal: 68.33,
    tax_total: 13.66,
    total: 81.99,
    tax_breakdown: [expect.objectContaining({ base: 68.33, amount: 13.66 })],
  };

  test('owes nothing after its last note, which has what the others leave from its draft on', async () => {
    const s = await sold();
    for (const price of prices.slice(0, 3)) await s.issued(await s.part(price));
    const last = await s.part(68.33);
    expect(await s.read(last)).toMatchObject(rest);
    expect(await s.revise(last, { items: taxed(68.34) }).catch(() => 'refused')).toBe('refused');
    expect(await s.revise(last, { items: [...taxed(68.33), ...taxed(0)] })).toMatchObject(rest);
    expect(await s.submit(last)).toMatchObject(rest);
    expect((await s.events(last)).filter((type) => type === 'Revised')).toHaveLength(1);
    await s.register(last);
    expect(await s.read(s.corrects)).toMatchObject({ total: 334.99, amount_credited: 334.99, amount_due: 0, payment_status: 'paid' });
  });

  test('by drafts beside each other: the one that is reserved last takes what is left, whoever that is', async () => {
    const s = await sold();
    const notes: string[] = [];
    for (const price of prices) notes.push(await s.part(price));
    expect((await s.read(notes[3] as string)).total).toBe(82);
    await Promise.all(notes.map((id) => s.submit(id)));
    for (const id of notes) await s.register(id);
    expect(await s.read(s.corrects)).toMatchObject({ amount_credited: 334.99, amount_due: 0, payment_status: 'paid' });
    const shown = await Promise.all(notes.map(s.read));
    expect(shown.filter((one, n) => one.total !== [82, 69, 102, 82][n])).toHaveLength(1);
    for (const { subtotal, tax_total, total } of shown) expect((subtotal * 100 + tax_total * 100) / 100).toBeCloseTo(total, 10);
  });

  test.each([1, 2, 3, 4, 5, 6, 7])(
    'the process dies after append %i of the last submission: another finishes it with the same totals',
    async (at) => {
      const s = await sold();
      const last = await s.part(68.33);
      for (const price of prices.slice(0, 3)) await s.submit(await s.part(price));
      await refusal(s.submit(last, crashing(at)));
      await Promise.all([1, 2].map(() => s.finish(last)));
      expect(await s.read(last)).toMatchObject({ status: 'submitting', ...rest });
    },
  );

  test('a note that is no longer the last when it asks for its part keeps its own rounding', async () => {
    const s = await sold();
    for (const price of prices.slice(0, 2)) await s.issued(await s.part(price));
    const [other, last] = [await s.part(85), await s.part(68.33)];
    await s.submit(other);
    await expect(s.submit(last, crashing(1))).rejects.toThrow('gone');
    await s.reject(other);
    await s.finish(last);
    expect(await s.read(last)).toMatchObject({ status: 'submitting', tax_total: 13.67, total: 82 });
  });

  test('a note that is submitted again under its number keeps the totals that it was issued with', async () => {
    const s = await sold();
    const first = await s.issued(await s.part(68.33));
    for (const price of prices.slice(1, 3)) await s.issued(await s.part(price));
    const last = await s.part(68.33);
    await s.submit(last);
    await s.reject(last);
    await s.void(first);
    await invoiceProcess.applyOutcome(context, s.event(first, 'document-cancelled', cancellation));
    expect(await s.submit(last)).toMatchObject({ status: 'submitting', ...rest });
  });

  test('a rejected last note gives way: whoever is submitted again takes what is left then', async () => {
    const s = await sold();
    for (const price of prices.slice(0, 3)) await s.issued(await s.part(price));
    const [last, other] = [await s.part(68.33), await s.part(68.33)];
    await s.submit(last);
    await s.reject(last);
    expect(await s.issued(other)).toBe(other);
    await s.void(other);
    await invoiceProcess.applyOutcome(context, s.event(other, 'document-cancelled', cancellation));
    await s.submit(last);
    await s.register(last, 2);
    expect(await s.read(last)).toMatchObject(rest);
    expect(await s.read(s.corrects)).toMatchObject({ amount_due: 0, payment_status: 'paid' });
  });
});

describe('a process that dies', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'after append %i of a submission: any other process finishes it, with one number and one reservation',
    async (at) => {
      const s = await fixture();
      const id = await s.note(60);
      const ended = await refusal(s.submit(id, crashing(at)));
      await Promise.all([1, 2, 3].map(() => s.finish(id)));
      expect([ended instanceof Error || ended === 'done', await s.read(id)]).toMatchObject([
        true,
        { status: 'submitting', number: expect.stringMatching(/^CN-\d{4}-000001$/) },
      ]);
      expect((await s.events(s.original)).slice(4)).toEqual(['CorrectionReserved']);
      await s.submit(await s.note(40));
    },
  );

  test('before it asks for its part: the credit note is refused where that is taken then, and free for another submission', async () => {
    const s = await fixture();
    const id = await s.note(60);
    await expect(s.submit(id, crashing(1))).rejects.toThrow('gone');
    await s.issued(await s.note(60));
    await s.finish(id);
    expect(await s.read(id)).toMatchObject({ status: 'draft', number: null });
    expect((await s.events(s.original)).at(-1)).toBe('CorrectionRefused');
    await s.revise(id, { items: [item(40)] });
    expect(await s.submit(id)).toMatchObject({ status: 'submitting' });
  });

  test.each([1, 2, 3])('after append %i of a resubmission', async (at) => {
    const s = await fixture();
    const id = await s.note(60);
    await s.submit(id);
    await s.reject(id);
    await refusal(s.submit(id, crashing(at)));
    await Promise.all([1, 2].map(() => s.finish(id)));
    expect(await s.read(id)).toMatchObject({ status: 'submitting', fiscal: { status: 'pending' } });
    await s.register(id, 2);
    expect(await s.read(s.original)).toMatchObject({ amount_credited: 60 });
  });

  test('before a resubmission asks for its part: it is refused where that is taken then, and stays failed under its number', async () => {
    const s = await fixture();
    const [id, other] = [await s.note(60), await s.note(60)];
    const { number } = await s.submit(id);
    await s.reject(id);
    await expect(s.submit(id, crashing(1))).rejects.toThrow('gone');
    expect(await s.read(id)).toMatchObject({ status: 'submitting' });
    expect(await refusal(s.void(id))).toEqual(['invalid_state']);
    await s.submit(other);
    await s.finish(id);
    expect(await s.read(id)).toMatchObject({ status: 'failed', number });
    await s.reject(other);
    expect(await s.submit(id)).toMatchObject({ status: 'submitting', number });
    await s.register(id, 2);
    expect(await s.read(s.original)).toMatchObject({ amount_credited: 60 });
  });

  test.each(['document-registered', 'document-rejected'])('between %s and the original', async (name) => {
    const s = await fixture();
    const id = await s.note(60);
    await s.submit(id);
    const data = name === 'document-registered' ? registration : rejection('data');
    await expect(invoiceProcess.applyOutcome(crashing(1), s.event(id, name, data))).rejects.toThrow('gone');
    await s.finish(id);
    await s.finish(id);
    expect((await s.events(s.original)).slice(4)).toEqual([
      'CorrectionReserved',
      name === 'document-registered' ? 'CorrectionApplied' : 'CorrectionReleased',
    ]);
  });

  test('between registration and the original, before its void is asked for: it credits the original until it is void', async () => {
    const s = await fixture();
    const id = await s.note(60);
    await s.submit(id);
    await expect(invoiceProcess.applyOutcome(crashing(1), s.event(id, 'document-registered', registration))).rejects.toThrow('gone');
    expect(await s.void(id)).toMatchObject({ status: 'voiding' });
    await s.finish(id);
    expect(await s.read(s.original)).toMatchObject({ amount_credited: 60 });
    await invoiceProcess.applyOutcome(context, s.event(id, 'document-cancelled', cancellation));
    expect(await s.read(s.original)).toMatchObject({ amount_credited: 0 });
  });
});

test('the process manager looks at corrections after their outcome, and at no other invoice', async () => {
  const s = await fixture();
  const id = await s.issued(await s.note(60));
  const steps = async (of: string) =>
    (await system.store.read(invoices.stream(s.ref(of)))).flatMap((recorded) => {
      const step = invoiceProcess.afterEvent(recorded);
      return step ? [`${recorded.type.replace('Invoice', '')} ${step}`] : [];
    });
  expect(await steps(s.original)).toEqual(['SubmissionRequested open', 'Numbered done']);
  expect(await steps(id)).toEqual(['SubmissionRequested open', 'Numbered done', 'Registered open']);
});

test('a customer who is erased while the number is taken: the room is free again', async () => {
  const s = await fixture();
  const id = await s.note(60);
  const take: DocumentContext['sequence']['take'] = async (claim) => {
    await system.keys.destroy(s.customer.id);
    await s.finish(id);
    return context.sequence.take(claim);
  };
  const on = { ...context, sequence: { ...context.sequence, head: context.sequence.head.bind(context.sequence), take } };
  expect(await refusal(s.submit(id, on))).toEqual(['validation_error', 'customer_id']);
  expect((await s.events(s.original)).slice(4)).toEqual(['CorrectionReserved', 'CorrectionReleased']);
});

test('a credit note that gets no number for another reason frees the room at once', async () => {
  const s = await fixture();
  const id = await s.note(60);
  const take = async () => new DomainError('validation_error', 'is too late', { issue_date: ['is before the last of its series.'] });
  const on = { ...context, sequence: { ...context.sequence, head: context.sequence.head.bind(context.sequence), take } };
  expect(await refusal(s.submit(id, on as DocumentContext))).toEqual(['validation_error', 'issue_date']);
  expect((await s.events(s.original)).slice(4)).toEqual(['CorrectionReserved', 'CorrectionReleased']);
});

test('a late process whose submission was refused numbers the next one only as the original decides', async () => {
  const s = await fixture();
  const id = await s.note(60);
  const [reserved, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const append: DocumentContext['store']['append'] = async (stream, ...rest) => {
    const answer = await system.store.append(stream, ...rest);
    if (stream !== invoices.stream(s.ref(s.original))) return answer;
    reserved.resolve();
    await opened.promise;
    return answer;
  };
  const late = s.submit(id, { ...context, store: { ...system.store, read: system.store.read.bind(system.store), append } });
  await reserved.promise;
  const take = async () => new DomainError('validation_error', 'is too late', { issue_date: ['is before the last of its series.'] });
  const refusing = { ...context, sequence: { ...context.sequence, head: context.sequence.head.bind(context.sequence), take } };
  await invoiceProcess.finish(refusing as DocumentContext, s.ref(id));
  expect((await s.events(s.original)).slice(4)).toEqual(['CorrectionReserved', 'CorrectionReleased']);
  await expect(s.submit(id, crashing(1))).rejects.toThrow('gone');
  await s.submit(await s.note(60));
  opened.resolve();
  await late.catch(() => undefined);
  expect(await s.read(id)).toMatchObject({ status: 'draft', number: null });
});

test('an invoice is credited after its customer was deleted, also after a rejection; not after an erasure, and nothing else is issued', async () => {
  const s = await fixture();
  const writing = () => ({ ...s.call(), customers: system.customers });
  await deleteCustomer(writing(), s.named(s.customer.id));
  const id = await s.note(40);
  await s.submit(id);
  await s.reject(id);
  await s.revise(id, { items: [item(30)] });
  await s.submit(id);
  await s.register(id, 2);
  expect(await s.read(id)).toMatchObject({ status: 'submitted', total: 30, customer: { name: 'Jo' } });
  expect(await s.read(s.original)).toMatchObject({ amount_credited: 30 });
  expect(await refusal(s.draft({}))).toEqual(['validation_error', 'customer_id']);
  const later = await s.note(10);
  await eraseCustomer(writing(), s.named(s.customer.id));
  expect(await refusal(s.submit(later))).toEqual(['validation_error', 'customer_id']);
  expect(await refusal(s.note(10))).toEqual(['validation_error', 'customer_id']);
});

test('correctives state a difference, and what they take away no credit note can take again', async () => {
  const s = await fixture();
  const difference = (amount: number) => s.note(0, { type: 'corrective', items: [item(amount, -1)] });
  expect(await refusal(difference(100.01))).toEqual(['validation_error', 'corrects']);
  const less = await s.issued(await difference(60));
  expect(await s.read(less)).toMatchObject({
    type: 'corrective',
    series: 'COR',
    number: expect.stringMatching(/^COR-/),
    total: -60,
    amount_due: -60,
  });
  expect(await s.read(s.original)).toMatchObject({ total: 100, amount_credited: 0, amount_due: 100 });
  expect(await refusal(s.note(40.01))).toEqual(['validation_error', 'corrects']);
  await s.issued(await s.note(40));
  // One that adds is owed, and credited by itself.
  const more = await s.issued(await s.note(25, { type: 'corrective' }));
  expect(await s.read(more)).toMatchObject({ total: 25, amount_due: 25 });
  expect(await refusal(s.note(1))).toEqual(['validation_error', 'corrects']);
  await s.issued(await s.note(25, { corrects: more }));
  expect(await s.read(more)).toMatchObject({ amount_credited: 25, amount_due: 0, payment_status: 'paid' });
  expect(await refusal(s.void(more))).toEqual(['invalid_state']);
});

test('an invoice with a credit note on its way is not voided; once that is rejected it is', async () => {
  const s = await fixture();
  const id = await s.note(10);
  await s.submit(id);
  expect(await refusal(s.void(s.original))).toEqual(['invalid_state']);
  await s.reject(id);
  expect(await s.void(s.original)).toMatchObject({ status: 'voiding' });
  expect(await refusal(s.submit(id))).toEqual(['validation_error', 'corrects']);
});

test('an invoice takes corrections while its stream has places for what may follow from those it holds, and for its own outcomes', async () => {
  const s = await fixture();
  const fullFrom = async () => {
    const { state } = await invoices.load(context, s.ref(s.original));
    return Array.from({ length: 1_000 }, (_, version) => version).findIndex((version) => isFull(state, version));
  };
  expect(await fullFrom()).toBe(900);
  const id = await s.note(10);
  await s.submit(id);
  expect(await fullFrom()).toBe(898);
  await s.reject(id);
  expect(await fullFrom()).toBe(900);
});
