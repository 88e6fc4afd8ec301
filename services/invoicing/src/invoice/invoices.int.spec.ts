import type { PublicEvent } from '@svc/contracts/events/envelope';
import { DomainError } from '@svc/kernel';
import { register } from '@svc/service';
import type { DocumentContext } from '../document/context.ts';
import { createCustomer, deleteCustomer } from '../customer/write.ts';
import { updateIssuer } from '../issuer/update.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { createInvoice, invoices } from './invoices.ts';
import { cancellation, outcomeEvent, registration, rejection, voidRefusal } from '../document/testing/outcomes.ts';
import { recordPayment } from './payments.ts';
import { reviseInvoice, submitInvoice } from './write.ts';
import { invoiceProcess } from './process.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const { context } = system;
let accounts = 0;
/** A new account with a customer. */
async function fixture() {
  const account = `acct_01jh2k3m4n5p6q7r8s9t0v1${String((accounts += 1)).padStart(3, '0')}`;
  const caller = () => callerOf(system, account);
  const writing = () => ({ context, customers: system.customers, identity: caller() });
  const customer = await createCustomer(writing(), { name: 'Blue Heron' });
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 10 }] };
  const draft = (over: object = {}) => createInvoice({ context, identity: caller() }, { ...body, ...over });
  const submit = (id: string, on: DocumentContext = context, identity = caller()) =>
    submitInvoice({ context: on, identity }, { id, ifMatch: undefined, lateReason: null });
  const read = (id: string) => invoices.read({ context, identity: caller() }, id);
  return { account, caller, writing, customer, body, draft, submit, read, ref: (id: string) => ({ account, env: 'test' as const, id }) };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;

const outcome = ({ account }: Fixture, subject: string, name: string, data?: object): PublicEvent =>
  outcomeEvent({ id: system.ids.next(), account, subject }, name, data);
const registered = (s: Fixture, id: string, round = 1): PublicEvent => outcome(s, id, 'document-registered', { ...registration, round });
const domainErrorOf = async (work: Promise<unknown>): Promise<DomainError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw error;
};

/** What the metrics say of requests for a number. */
async function numbers(): Promise<{ taken: number; refused: number }> {
  const text = await register.getSingleMetricAsString('svc_numbers_total');
  const valueOf = (outcome: string): number => Number(new RegExp(`\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  return { taken: valueOf('taken'), refused: valueOf('refused') };
}

/** The process dies after its append number `at`: the append is stored, its caller sees an error. */
function crashing(at: number): DocumentContext {
  let appends = 0;
  const append: DocumentContext['store']['append'] = async (...call) => {
    const answer = await system.store.append(...call);
    if ((appends += 1) >= at) throw new Error('the process is gone');
    return answer;
  };
  return { ...context, store: { ...system.store, read: (...call) => system.store.read(...call), append } };
}

describe('a payment', () => {
  test('whose answer was lost is recorded once when it is repeated under the same command id', async () => {
    const s = await fixture();
    const { id } = await s.draft();
    await s.submit(id);
    await invoiceProcess.applyOutcome(context, registered(s, id));
    const identity = s.caller();
    const pay = (on: DocumentContext) =>
      recordPayment({ context: on, identity }, { id, ifMatch: undefined, body: { amount: '7.50', paid_at: '2026-01-16' } });
    await expect(pay(crashing(1))).rejects.toThrow('gone');
    expect(await pay(context)).toMatchObject({ id: `pay_${identity.commandId}`, amount: 7.5 });
    expect(await pay(context)).toMatchObject({ id: `pay_${identity.commandId}` });
    expect(await s.read(id)).toMatchObject({ amount_paid: 7.5, amount_due: 4.5 });
  });
});

describe('creation', () => {
  test('repeated under the same command id, it returns the same invoice', async () => {
    const s = await fixture();
    const identity = s.caller();
    const [first, second] = [await createInvoice({ context, identity }, s.body), await createInvoice({ context, identity }, s.body)];
    expect(second).toEqual(first);
    expect(await s.read(first.id)).toEqual(first);
  });

  test('for an unknown or deleted customer is rejected', async () => {
    const s = await fixture();
    const other = await fixture();
    await deleteCustomer(s.writing(), { id: s.customer.id, ifMatch: undefined });
    for (const customer_id of [s.customer.id, other.customer.id]) {
      expect((await domainErrorOf(s.draft({ customer_id }))).details).toHaveProperty('customer_id');
    }
  });
});

describe('submission', () => {
  test('ten concurrent requests submit once', async () => {
    const s = await fixture();
    const { id } = await s.draft();
    const answers = await Promise.all(Array.from({ length: 10 }, () => s.submit(id)));
    expect(new Set(answers.map(({ number }) => number)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 'submitting', version: 3, number: expect.stringMatching(/^INV-\d{4}-000001$/) });
    const history = await Array.fromAsync(
      (await invoices.history({ context, identity: s.caller() }, id)).entries({ from: 0, to: 100 }, async () => undefined),
    );
    expect(history.map(({ type }) => type)).toEqual(['created', 'submission_requested', 'numbered']);
  });

  test('forty concurrent submissions leave no gap', async () => {
    const s = await fixture();
    const drafts = await Promise.all(Array.from({ length: 40 }, () => s.draft()));
    const numbers = await Promise.all(drafts.map(async ({ id }) => Number((await s.submit(id)).number?.slice(-6))));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  test('concurrent with a void: one wins, and a lost race uses no number', async () => {
    const s = await fixture();
    const drafts = await Promise.all(Array.from({ length: 12 }, () => s.draft()));
    const ends = await Promise.all(
      drafts.map(async ({ id }) => {
        const gone = invoiceProcess.void({ context, identity: s.caller() }, { id, ifMatch: undefined, reason: 'entered twice' });
        const [submit] = await Promise.allSettled([s.submit(id), gone]);
        const now = await s.read(id);
        expect([submit.status, now.number !== null]).toEqual(now.status === 'submitting' ? ['fulfilled', true] : ['rejected', false]);
        return now;
      }),
    );
    const numbers = ends.flatMap(({ number }) => (number ? [Number(number.slice(-6))] : [])).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  });

  test.each(['asked for', 'taken', 'written'])(
    'that crashed when its number was %s is finished by any process, and a repeated request returns it',
    async (crashed) => {
      const s = await fixture();
      const { id } = await s.draft();
      const identity = s.caller();
      const { store } = crashing(crashed === 'asked for' ? 1 : 2);
      const sequence: DocumentContext['sequence'] = {
        head: (stream) => context.sequence.head(stream),
        async take(claim) {
          const link = await context.sequence.take(claim);
          if (crashed === 'taken') throw new Error('the process is gone');
          return link;
        },
      };
      await expect(s.submit(id, { ...context, store, sequence }, identity)).rejects.toThrow('gone');
      expect((await s.read(id)).status).toBe('submitting');
      await Promise.all([1, 2, 3].map(() => invoiceProcess.finish(context, s.ref(id))));
      const finished = await s.read(id);
      expect(finished).toMatchObject({ status: 'submitting', version: 3, number: expect.stringMatching(/-000001$/) });
      expect(await s.submit(id, context, identity)).toEqual(finished);
      expect((await s.submit((await s.draft()).id)).number).toMatch(/-000002$/);
    },
  );

  test('whose date is before that of a newer number takes no number: the invoice is a draft again, and every repetition gets the error', async () => {
    const s = await fixture();
    const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const late = await s.draft({ issue_date: yesterday });
    const sequence: DocumentContext['sequence'] = {
      head: (stream) => context.sequence.head(stream),
      async take(claim) {
        await s.submit((await s.draft()).id);
        return context.sequence.take(claim);
      },
    };
    const identity = s.caller();
    const before = await numbers();
    expect((await domainErrorOf(s.submit(late.id, { ...context, sequence }, identity))).details).toHaveProperty('issue_date');
    const after = await numbers();
    expect([after.taken - before.taken, after.refused - before.refused]).toEqual([1, 1]);
    expect(await s.read(late.id)).toMatchObject({ status: 'draft', number: null, version: 3 });
    expect((await domainErrorOf(s.submit(late.id, context, identity))).details).toHaveProperty('issue_date');
    expect((await domainErrorOf(s.submit(late.id))).details).toHaveProperty('issue_date');
    expect(await s.read(late.id)).toMatchObject({ version: 3 });
  });

  test('a late process that has missed a refusal goes on with the next request: no gap and no second number', async () => {
    const s = await fixture();
    const late = await s.draft({ issue_date: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10) });
    const [refused, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: DocumentContext['sequence'] = {
      ...context.sequence,
      async take(claim) {
        slow.take = context.sequence.take;
        await s.submit((await s.draft()).id); // takes number 1, dated today
        const link = await context.sequence.take(claim);
        refused.resolve();
        await released.promise;
        return link;
      },
    };
    const first = s.submit(late.id, { ...context, sequence: slow });
    await refused.promise;
    await invoiceProcess.finish(context, s.ref(late.id));
    expect((await s.read(late.id)).status).toBe('draft');

    const named = { id: late.id, ifMatch: undefined };
    await reviseInvoice({ context, identity: s.caller() }, { ...named, body: { issue_date: null } });
    const crash: DocumentContext['sequence'] = {
      ...context.sequence,
      async take(claim) {
        await context.sequence.take(claim); // takes number 2
        throw new Error('the process is gone');
      },
    };
    await expect(s.submit(late.id, { ...context, sequence: crash })).rejects.toThrow('gone');
    await reviseInvoice({ context, identity: s.caller() }, { ...named, body: { metadata: { a: 'b' } } });
    released.resolve();
    expect(await first).toMatchObject({ status: 'submitting', number: expect.stringMatching(/-000002$/) });
    await invoiceProcess.finish(context, s.ref(late.id));
    expect(await s.read(late.id)).toMatchObject({ status: 'submitting', number: expect.stringMatching(/-000002$/) });
    expect((await s.submit((await s.draft()).id)).number).toMatch(/-000003$/);
  });

  test('for a deleted customer is rejected and uses no number', async () => {
    const s = await fixture();
    const { id } = await s.draft();
    await deleteCustomer(s.writing(), { id: s.customer.id, ifMatch: undefined });
    expect((await domainErrorOf(s.submit(id))).details).toHaveProperty('customer_id');
    expect(await s.read(id)).toMatchObject({ status: 'draft', version: 1 });
  });

  test('without an authority is rejected', async () => {
    const identity = () => callerOf(system, undefined, 'live');
    const customer = await createCustomer({ context, customers: system.customers, identity: identity() }, { name: 'Live' });
    const made = await createInvoice(
      { context, identity: identity() },
      { customer_id: customer.id, items: [{ description: 'x', unit_price: 1 }] },
    );
    const refused = await domainErrorOf(
      submitInvoice({ context, identity: identity() }, { id: made.id, ifMatch: undefined, lateReason: null }),
    );
    expect(refused.details?.['issuer.authority']?.join()).toContain('Set it by PATCH /v1/issuer: al-cis');
    const test = await fixture();
    await updateIssuer({ ...test.writing(), issuers: system.issuers }, { ifMatch: undefined, patch: { authority: null } });
    const { id } = await test.draft();
    expect((await domainErrorOf(test.submit(id))).details?.['issuer.authority']?.join()).toContain('PATCH /v1/issuer: sandbox');
  });
});

describe('outcomes of the authority', () => {
  test('repeated ones, and those of an earlier round, change nothing', async () => {
    const s = await fixture();
    const { id } = await s.draft();
    await s.submit(id);
    const rejected = outcome(s, id, 'document-rejected', rejection('data'));
    for (const event of [rejected, rejected, registered(s, id)]) await invoiceProcess.applyOutcome(context, event);
    expect(await s.read(id)).toMatchObject({ status: 'failed', version: 4, fiscal: { status: 'rejected', error: { code: 'E1' } } });
    await s.submit(id);
    for (const event of [rejected, registered(s, id, 2), registered(s, id, 2)]) await invoiceProcess.applyOutcome(context, event);
    const now = await s.read(id);
    expect(now).toMatchObject({ status: 'submitted', version: 6, fiscal_code: 'CODE-1', number: expect.stringMatching(/-000001$/) });
    const history = await Array.fromAsync(
      (await invoices.history({ context, identity: s.caller() }, id)).entries({ from: 0, to: 100 }, async () => undefined),
    );
    expect(history.map(({ type }) => type).slice(2)).toEqual(['numbered', 'rejected', 'submission_requested', 'registered']);
    expect(history.at(-1)).toMatchObject({
      actor: { type: 'system', id: 'fiscal-submission' },
      changes: { status: 'submitted', fiscal_code: 'CODE-1' },
    });
  });

  test('a void is completed, or refused and requested again', async () => {
    const s = await fixture();
    const { id } = await s.draft();
    await s.submit(id);
    await invoiceProcess.applyOutcome(context, registered(s, id));
    const requestVoid = () => invoiceProcess.void({ context, identity: s.caller() }, { id, ifMatch: undefined, reason: 'entered twice' });
    expect(await requestVoid()).toMatchObject({ status: 'voiding', void: { reason: 'entered twice', voided_at: null } });
    const refused = outcome(s, id, 'cancellation-refused', voidRefusal((await s.read(id)).version));
    await invoiceProcess.applyOutcome(context, refused);
    expect(await s.read(id)).toMatchObject({ status: 'submitted', void: { error: { code: 'V1', message: 'not now' }, voided_at: null } });
    const { version } = await requestVoid();
    await invoiceProcess.applyOutcome(context, refused);
    expect((await s.read(id)).status).toBe('voiding');
    // Written by a process whose clock is behind.
    const again = { ...voidRefusal(version), refused_at: '2026-01-16T11:59:00.000Z' };
    await invoiceProcess.applyOutcome(context, outcome(s, id, 'cancellation-refused', again));
    expect((await s.read(id)).status).toBe('submitted');
    await requestVoid();
    await invoiceProcess.applyOutcome(context, outcome(s, id, 'document-cancelled', { ...cancellation, attempts: 3 }));
    expect(await s.read(id)).toMatchObject({ status: 'voided', fiscal: { status: 'cancelled', attempts: 3 }, void: { error: null } });
  });

  test('those of a later release are ignored', async () => {
    const s = await fixture();
    const { id } = await s.draft();
    await invoiceProcess.applyOutcome(context, outcome(s, id, 'document-blessed'));
    expect(await s.read(id)).toMatchObject({ version: 1 });
  });
});
