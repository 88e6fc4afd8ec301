import type { Clock } from '@svc/kernel';
import type { Random } from '@svc/testkit/simulation/index';
import type { Acknowledged } from './acknowledged.ts';
import type { Ask } from './connection.ts';
import type { Answer } from './system.ts';

/** What an actor can do besides. */
interface Acts {
  ask: Ask;
  clock: Clock;
  random: Random;
  acknowledged: Acknowledged[];
  keys: Set<string>;
  /** A new Idempotency-Key. */
  key(): string;
  created(path: Acknowledged['path'], body: object): Promise<Acknowledged>;
  submitted(made: Acknowledged): Promise<void>;
  /** Its status once the authority has answered. */
  settled(made: Acknowledged): Promise<string>;
}
type Act = (customer: Acknowledged) => Promise<void>;

const TOTAL = 120;
/** One fits into the total, two do not. */
const PART = 80;
const BATCH = 3;
const itemsOf = (amount: number) => [{ description: 'Work', unit_price: amount, tax_rate: 0 }];

/** Throws unless one of two requests that race for what is left succeeded, and the other was refused. */
function oneOf(answers: readonly Answer[], what: string): void {
  const statuses = answers.map(({ status }) => (status < 300 ? 'granted' : status)).sort();
  if (statuses.join() !== '422,granted') throw new Error(`${what} answered ${JSON.stringify(answers)}`);
}

/** Payments and credit notes, of which two race for the total of an invoice, and batches. */
export function office({
  ask,
  clock,
  random,
  acknowledged,
  keys,
  key,
  created,
  submitted,
  settled,
}: Acts): Record<'paid' | 'credited' | 'batched', Act> {
  async function registered(customer: Acknowledged): Promise<Acknowledged | undefined> {
    const made = await created('/invoices', { customer_id: customer.id, items: itemsOf(TOTAL) });
    await submitted(made);
    return (await settled(made)) === 'submitted' ? made : undefined;
  }

  async function paid(customer: Acknowledged): Promise<void> {
    const made = await registered(customer);
    if (!made) return;
    const path = `${made.path}/${made.id}/payments`;
    const pay = () => ask('POST', path, { key: key(), body: { amount: PART, paid_at: '2026-01-15' } });
    const answers = await Promise.all([pay(), pay()]);
    oneOf(answers, 'payments');
    made.payments = answers.flatMap(({ status, body }) => (status < 300 ? [String(body['id'])] : []));
    if (random.chance(0.5)) return;
    const { status } = await ask('DELETE', `${path}/${made.payments[0]}`);
    const again = await pay();
    if (status >= 300 || again.status >= 300) throw new Error(`a payment instead of another answered ${status} and ${again.status}`);
    made.payments = [String(again.body['id'])];
  }

  async function credited(customer: Acknowledged): Promise<void> {
    const original = await registered(customer);
    if (!original) return;
    const note = { type: 'credit_note', corrects: original.id, customer_id: customer.id, items: itemsOf(PART) };
    const notes = await Promise.all([created('/invoices', note), created('/invoices', note)]);
    const answers = await Promise.all(notes.map(({ path, id }) => ask('POST', `${path}/${id}/submit`, { key: key() })));
    oneOf(answers, 'credit notes');
    for (const [n, { status, body }] of answers.entries())
      if (status < 300) Object.assign(notes[n] as Acknowledged, { number: String(body['number']), submitted: true });
  }

  interface Item {
    status: number;
    resource: { id: string; number: string | null };
  }
  /** Again under its key until the outcome of each item is known. */
  async function wholeBatch(path: string, body: object): Promise<Item['resource'][]> {
    const under = key();
    for (;;) {
      const { status, body: answered } = await ask('POST', path, { key: under, body });
      const items = answered['data'] as Item[] | undefined;
      if (items?.every((item) => item.status < 300)) return items.map(({ resource }) => resource);
      if (!items?.every((item) => item.status < 300 || item.status >= 500))
        throw new Error(`POST ${path} answered ${status} ${JSON.stringify(answered)}`);
      await clock.sleep(random.between(500, 2_000));
    }
  }

  async function batched(customer: Acknowledged): Promise<void> {
    const names = Array.from({ length: BATCH }, () => key());
    for (const name of names) keys.add(name);
    const requests = names.map((name) => ({ customer_id: customer.id, items: itemsOf(TOTAL), metadata: { key: name } }));
    const made = (await wholeBatch('/invoices/batch', { requests })).map(({ id }, n): Acknowledged => ({
      path: '/invoices',
      id,
      key: names[n] as string,
    }));
    acknowledged.push(...made);
    const taken = await wholeBatch('/invoices/batch/submit', { ids: made.map(({ id }) => id) });
    for (const [n, { number }] of taken.entries()) Object.assign(made[n] as Acknowledged, { number: String(number), submitted: true });
  }

  return { paid, credited, batched };
}
