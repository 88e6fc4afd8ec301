import { eventually, type Answer, type Call } from '@svc/testkit';
import { expectOneNumberEach, expectOneRegistrationEach, type LedgerRow } from './exactly-once.ts';
import { isNumbered, PATHS, type Document, type Documents, type Path } from './documents.ts';
import { atOnce, everything, untilAnswered, type Invoice } from './retrying-client.ts';

interface Batch {
  data: { status: number; resource: Document }[];
}
interface Payment {
  id: string;
  amount: number;
}
/** A request and the part of its answer that a repetition repeats. */
interface Sent {
  path: string;
  body: unknown;
  key: string;
  answered: unknown[];
}

const KEPT_WAITING_MS = 300_000;
/** The net amounts of an invoice, of a credit note, of which two are more, and of what a corrective takes, which one note leaves room for. */
const [WHOLE, CREDITED, LESS] = [100, 60, 25];
const TAX_RATE = 20;
const TOTAL = WHOLE * 1.2;
/** So many payments are the total. Twice as many race: a kill in their midst finds some stored whose answers are not yet kept. */
const PARTS = 12;
const PART = TOTAL / PARTS;
const BATCH = 4;

const itemsOf = (net: number) => [{ description: 'x', quantity: Math.sign(net), unit_price: Math.abs(net), tax_rate: TAX_RATE }];
const identityOf = ({ status, body }: Answer<unknown>): unknown[] => {
  const { id, data } = body as { id?: string; data?: Batch['data'] };
  return [status, id ?? data?.map(({ resource }) => resource.id)];
};

export interface DocumentJobs {
  /**
   * Does the `n`-th job, of six kinds in turn: an invoice; one with payments of which two race for what is due; one with two credit notes and a
   * corrective that race for its total; a receipt that two requests void; an invoice that two requests void; a batch that is submitted.
   * Rejects on an answer that is not one of those that the race allows.
   */
  run(n: number): Promise<void>;
  /** Requests that are not answered yet. */
  underWay(): number;
  /** Throws unless the authority has answered for all. */
  settled(): Promise<void>;
  /**
   * Checks what is there against what was acknowledged: no document, number, payment, registration or annulment is missing, double or of
   * nobody, no invoice is over-credited, rows of lists equal single reads, and every request repeated under its key changes nothing.
   */
  check(ledger: LedgerRow[]): Promise<Documents>;
}

/** A client that sends each request to one of `calls` under a key of its own and repeats it there, or at another, until it is answered. */
export function documentJobs(calls: readonly Call[], customer_id: string): DocumentJobs {
  const call = calls[0] as Call;
  const sent: Sent[] = [];
  let underWay = 0;
  const created: Record<Path, Set<string>> = { '/invoices': new Set(), '/receipts': new Set() };
  const numbers: Record<Path, Map<string, string>> = { '/invoices': new Map(), '/receipts': new Map() };
  const voided: Record<Path, string[]> = { '/invoices': [], '/receipts': [] };
  /** Those that count, by invoice. */
  const payments = new Map<string, Payment[]>();
  const corrected = new Set<string>();

  let turn = 0;
  /** All calls, each time starting with another. */
  function inTurn(): readonly [Call, ...Call[]] {
    const start = (turn += 1) % calls.length;
    return [...calls.slice(start), ...calls.slice(0, start)] as [Call, ...Call[]];
  }
  async function ask<T>(path: string, body: unknown, key: string): Promise<Answer<T>> {
    underWay += 1;
    const answer = await untilAnswered<T>(inTurn(), path, body, key);
    underWay -= 1;
    sent.push({ path, body, key, answered: identityOf(answer) });
    return answer;
  }
  async function send<T = Document>(path: string, body: unknown, key: string): Promise<T> {
    const { status, body: made, text } = await ask<T>(path, body, key);
    if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${text}`);
    return made;
  }
  const draft = async (n: string, over: object = {}): Promise<string> => {
    const { id } = await send('/invoices', { customer_id, currency: 'EUR', items: itemsOf(WHOLE), ...over }, `create-${n}`);
    created['/invoices'].add(id);
    return id;
  };
  const numbered = (path: Path, { id, number }: Invoice) => numbers[path].set(id, number);
  /** An invoice with its number. */
  async function submitted(n: number): Promise<string> {
    const id = await draft(`${n}`);
    numbered('/invoices', await send(`/invoices/${id}/submit`, undefined, `submit-${n}`));
    return id;
  }
  async function registered(n: number): Promise<string> {
    const id = await submitted(n);
    const isSubmitted = async () => (await inTurn()[0]<Document>('GET', `/invoices/${id}`)).body.status === 'submitted';
    await eventually(isSubmitted, `the registration of ${id}`, KEPT_WAITING_MS);
    return id;
  }
  async function voidOne(path: Path, id: string, n: number): Promise<void> {
    const asked = ['Wrong customer', 'Entered twice'].map((reason, of) => send(`${path}/${id}/void`, { reason }, `void-${n}-${of}`));
    await Promise.all(asked);
    voided[path].push(id);
  }

  async function paid(n: number): Promise<void> {
    const id = await registered(n);
    const pay = (key: number) => ask<Payment>(`/invoices/${id}/payments`, { amount: PART, paid_at: '2026-01-16' }, `pay-${n}-${key}`);
    const racing = await Promise.all(Array.from({ length: 2 * PARTS }, (_, key) => pay(key)));
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 422].flatMap((of) => Array(PARTS).fill(of)));
    const [first, ...others] = racing.flatMap(({ status, body }) => (status === 201 ? [body] : [])) as [Payment, ...Payment[]];
    const reversed = async () => (await inTurn()[0]('DELETE', `/invoices/${id}/payments/${first.id}`)).status === 200;
    await eventually(reversed, `the reversal of ${first.id}`, KEPT_WAITING_MS);
    const again = await pay(2 * PARTS);
    expect(again.status).toBe(201);
    payments.set(id, [...others, again.body]);
  }

  async function credited(n: number): Promise<void> {
    const corrects = await registered(n);
    corrected.add(corrects);
    const corrections = [
      { type: 'credit_note', items: itemsOf(CREDITED) },
      { type: 'credit_note', items: itemsOf(CREDITED) },
      { type: 'corrective', items: itemsOf(-LESS) },
    ];
    const ids = await Promise.all(corrections.map((over, of) => draft(`${n}-${of}`, { ...over, corrects })));
    const answers = await Promise.all(ids.map((id, of) => ask<Document>(`/invoices/${id}/submit`, undefined, `submit-${n}-${of}`)));
    const [one, other, corrective] = answers.map(({ status }) => status);
    expect([[one, other].sort(), corrective]).toEqual([[200, 422], 200]);
    for (const { status, body } of answers) if (status === 200) numbered('/invoices', body);
  }

  async function receipt(n: number): Promise<void> {
    const made = await send('/receipts', { items: itemsOf(WHOLE), prices_include_tax: false, payment_method: 'card' }, `receipt-${n}`);
    created['/receipts'].add(made.id);
    numbered('/receipts', made);
    if (n % 4 === 1) await voidOne('/receipts', made.id, n);
  }

  async function batch(n: number): Promise<void> {
    const requests = Array.from({ length: BATCH }, () => ({ customer_id, currency: 'EUR', items: itemsOf(WHOLE) }));
    const made = await send<Batch>('/invoices/batch', { requests }, `batch-${n}`);
    const ids = made.data.map(({ resource }) => resource.id);
    for (const id of ids) created['/invoices'].add(id);
    const taken = await send<Batch>('/invoices/batch/submit', { ids }, `batch-submit-${n}`);
    expect([made, taken].map(({ data }) => data.map(({ status }) => status))).toEqual([201, 200].map((ok) => Array(BATCH).fill(ok)));
    for (const { resource } of taken.data) numbered('/invoices', resource);
  }

  const jobs = [submitted, paid, credited, receipt, async (n: number) => voidOne('/invoices', await registered(n), n), batch];

  async function settled(): Promise<void> {
    const [invoices, receipts] = await Promise.all(PATHS.map((path) => everything<Document>(call, path)));
    const isOpen = ({ status, number, fiscal }: Document) =>
      ['submitting', 'voiding'].includes(status) || (number && !['registered', 'cancelled'].includes(String(fiscal?.status)));
    const open = [...(invoices ?? []), ...(receipts ?? [])].filter(isOpen);
    if (open.length > 0) throw new Error(open.map(({ id, status, fiscal }) => `${id} ${status} ${fiscal?.status}`).join(', '));
  }

  async function check(ledger: LedgerRow[]): Promise<Documents> {
    await atOnce(sent, async ({ path, body, key, answered }) =>
      expect([key, identityOf(await untilAnswered(inTurn(), path, body, key))]).toEqual([key, answered]),
    );
    const found: Documents = { '/invoices': await listed('/invoices'), '/receipts': await listed('/receipts') };
    const issued = [...found['/invoices'], ...found['/receipts']].filter(isNumbered);
    expectOneRegistrationEach(ledger, issued);
    const annulled = ledger.filter(({ voided_at }) => voided_at !== null).map((row) => row.document_number);
    const ended = issued.filter(({ status }) => status === 'voided').map(({ number }) => number);
    expect(annulled.sort()).toEqual(ended.sort());
    await checkAmounts(found['/invoices'].filter(isNumbered));
    return found;
  }

  async function listed(path: Path): Promise<Document[]> {
    const rows = await everything<Document>(call, path);
    expect(rows.map(({ id }) => id).sort()).toEqual([...created[path]].sort());
    await atOnce(rows, async (row) => expect((await inTurn()[0]<Document>('GET', `${path}/${row.id}`)).body).toEqual(row));
    const issued = rows.filter(isNumbered);
    expect(issued).toHaveLength(numbers[path].size);
    for (const [series, of] of Map.groupBy(issued, (row) => row.series))
      expectOneNumberEach(of, new Map([...numbers[path]].filter(([, number]) => number.startsWith(`${series}-`))));
    const ended = rows.filter(({ status }) => status === 'voided').map(({ id }) => id);
    expect(ended.sort()).toEqual(voided[path].toSorted());
    return rows;
  }

  async function checkAmounts(invoices: readonly Document[]): Promise<void> {
    const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
    const counting = invoices.filter(({ type, status }) => type === 'standard' && status !== 'voided');
    await atOnce(counting, async ({ id, ...amounts }) => {
      const found = await everything<Payment>(call, `/invoices/${id}/payments`);
      const recorded = payments.get(id) ?? [];
      expect(found.map((one) => [one.id, one.amount]).sort()).toEqual(recorded.map((one) => [one.id, one.amount]).sort());
      const corrections = invoices.filter(({ corrects }) => corrects === id);
      expect([id, sumOf(corrections.map(({ total }) => Math.abs(total)))]).toEqual([id, corrected.has(id) ? (CREDITED + LESS) * 1.2 : 0]);
      const paidOf = sumOf(recorded.map(({ amount }) => amount));
      const credit = sumOf(corrections.filter((one) => one.type === 'credit_note').map(({ total }) => total));
      expect(amounts).toMatchObject({ amount_paid: paidOf, amount_credited: credit, amount_due: TOTAL - paidOf - credit });
    });
  }

  return {
    run: (n) => (jobs[n % jobs.length] as (n: number) => Promise<unknown>)(n).then(() => undefined),
    underWay: () => underWay,
    settled,
    check,
  };
}
