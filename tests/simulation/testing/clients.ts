import type { Clock } from '@svc/kernel';
import type { Random } from '@svc/testkit/simulation/index';
import type { Acknowledged } from './acknowledged.ts';
import { retryingClient, type Ask } from './connection.ts';
import { office } from './office.ts';
import type { Answer, SimulatedSystem } from './system.ts';

export interface Clients {
  acknowledged: Acknowledged[];
  /** Idempotency-Keys of all creations, acknowledged or not. */
  keys: Set<string>;
  /** Errors of clients whose correct request was refused. */
  errors: string[];
  /** All clients are done. */
  done(): boolean;
}

/** Every outcome arrives within this time, whatever faults are injected. */
const SETTLE_WITHIN_MS = 200_000;

/** Clients that repeat an unanswered request under the same key until it is answered. */
export function startClients(system: SimulatedSystem, apiKey: string, chance: () => number): Clients {
  const { clock } = system;
  const random = system.random.fork('clients');
  const acknowledged: Acknowledged[] = [];
  const keys = new Set<string>();
  const count = random.between(8, 12);
  const documents = random.between(20, 34);
  const errors: string[] = [];
  let over = 0;
  for (let n = 0; n < count; n += 1) {
    const [own, name] = [random.fork(`client ${n}`), `c${n}`];
    const ask = retryingClient({ system, apiKey, random: own, chance, name });
    actor({ ask, clock, random: own, acknowledged, keys, name, documents: Math.ceil(documents / count) })
      .catch((error: unknown) => errors.push(String(error)))
      .finally(() => (over += 1));
  }
  return { acknowledged, keys, errors, done: () => over === count };
}

interface Actor {
  ask: Ask;
  clock: Clock;
  random: Random;
  acknowledged: Acknowledged[];
  keys: Set<string>;
  name: string;
  documents: number;
}

const item = (random: Random) => ({
  description: 'Work',
  quantity: random.between(1, 5),
  unit_price: random.between(1, 20_000) / 100,
  tax_rate: 20,
});

async function actor({ ask, clock, random, acknowledged, keys, name, documents }: Actor): Promise<void> {
  let serial = 0;
  const key = (): string => `${name}-${(serial += 1)}`;
  const right = (answer: Answer, what: string): Answer => {
    if (answer.status >= 300) throw new Error(`${what} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };

  async function created(path: Acknowledged['path'], body: object, metadata: object = {}): Promise<Acknowledged> {
    const under = key();
    keys.add(under);
    const answer = right(await ask('POST', path, { key: under, body: { ...body, metadata: { ...metadata, key: under } } }), `POST ${path}`);
    const made: Acknowledged = { path, id: String(answer.body['id']), key: under };
    if (path === '/receipts') Object.assign(made, { number: String(answer.body['number']), submitted: true });
    acknowledged.push(made);
    return made;
  }

  async function noted(made: Acknowledged): Promise<void> {
    const note = `note ${(serial += 1)}`;
    right(await ask('PATCH', `${made.path}/${made.id}`, { body: { metadata: { note } } }), 'PATCH');
    made.note = note;
  }

  async function submitted(made: Acknowledged): Promise<void> {
    const options = { key: key(), ...(random.chance(0.3) ? { wait: random.between(1, 10) } : {}) };
    const { body } = right(await ask('POST', `${made.path}/${made.id}/submit`, options), 'submit');
    made.number = String(body['number']);
    made.submitted = true;
  }

  /** Polls until the document is registered or failed, or time is up; returns its status. */
  async function settled(made: Acknowledged): Promise<string> {
    for (const until = clock.now() + SETTLE_WITHIN_MS; ; await clock.sleep(random.between(1_000, 3_000))) {
      const { body } = await ask('GET', `${made.path}/${made.id}`);
      const { status, fiscal } = body as { status: string; fiscal: { status: string } | null };
      if (status === 'failed' || fiscal?.status === 'registered' || clock.now() > until) return status;
    }
  }

  async function deleted(made: Acknowledged): Promise<void> {
    right(await ask('DELETE', `${made.path}/${made.id}`), 'DELETE');
    made.deleted = true;
  }

  /** A draft whose customer is deleted before it is submitted: refused without spending a number. */
  async function orphaned(): Promise<void> {
    const leaving = await created('/customers', { name: `Leaving customer of ${name}` });
    const made = await created('/invoices', { customer_id: leaving.id, items: [item(random)] });
    await deleted(leaving);
    const { status, body } = await ask('POST', `${made.path}/${made.id}/submit`, { key: key() });
    if (status !== 422) throw new Error(`submit without a customer answered ${status} ${JSON.stringify(body)}`);
  }

  /** A draft with an issue date: where later documents of the series exist it is refused, and submitted without a date. */
  async function dated(customer: Acknowledged): Promise<void> {
    const made = await created('/invoices', { customer_id: customer.id, items: [item(random)] });
    right(await ask('PATCH', `${made.path}/${made.id}`, { body: { issue_date: random.pick(['2026-01-14', '2026-01-15']) } }), 'PATCH');
    const first = await ask('POST', `${made.path}/${made.id}/submit`, { key: key() });
    if (first.status < 300) return void Object.assign(made, { number: String(first.body['number']), submitted: true });
    right(await ask('PATCH', `${made.path}/${made.id}`, { body: { issue_date: null } }), 'PATCH');
    await submitted(made);
  }

  async function issuerChanged(): Promise<void> {
    const format = random.pick(['{series}-{year}-{seq:6}', '{series}/{seq}', '{year}.{series}.{seq:4}']);
    right(
      await ask('PATCH', '/issuer', { body: { trade_name: `Trade name ${(serial += 1)}`, series: { standard: { format } } } }),
      'PATCH',
    );
  }

  /** A rejected invoice: it keeps its number, and is voided or left. */
  async function rejected(customer: Acknowledged): Promise<void> {
    const body = { customer_id: customer.id, items: [item(random)] };
    const made = await created('/invoices', body, { simulate: 'reject:E42' });
    await submitted(made);
    if ((await settled(made)) === 'failed' && random.chance(0.5)) await voided(made, { reason: 'Wrong customer' });
  }

  async function voided(made: Acknowledged, body: object): Promise<void> {
    const answer = await ask('POST', `${made.path}/${made.id}/void`, { key: key(), body });
    if (answer.status < 300) made.voided = true;
  }

  async function invoice(customer: Acknowledged): Promise<void> {
    const isRejected = random.chance(0.1);
    const body = { customer_id: customer.id, items: [item(random)] };
    const made = await created('/invoices', body, isRejected ? { simulate: 'reject_once' } : {});
    if (random.chance(0.3)) await noted(made);
    const draw = random.next();
    if (draw < 0.1) return draw < 0.05 ? voided(made, {}) : undefined;
    await submitted(made);
    if (isRejected && (await settled(made)) === 'failed') await submitted(made);
    if (random.chance(0.2)) await noted(made);
    if (random.chance(0.2) && (await settled(made)) === 'submitted') await voided(made, { reason: 'Wrong customer' });
  }

  async function receipt(): Promise<void> {
    const made = await created('/receipts', { items: [item(random)], payment_method: 'cash' });
    if (random.chance(0.2)) await voided(made, { reason: 'Returned goods' });
  }

  const { paid, credited, batched } = office({ ask, clock, random, acknowledged, keys, key, created, submitted, settled });
  const customer = await created('/customers', { name: `Customer of ${name}` });
  for (let n = 0; n < documents; n += 1) {
    await clock.sleep(random.between(0, 4_000));
    if (random.chance(0.1)) await noted(customer);
    if (random.chance(0.1)) await issuerChanged();
    const rare = random.next();
    if (rare < 0.05) await orphaned();
    else if (rare < 0.12) await dated(customer);
    else if (rare < 0.18) await rejected(customer);
    else if (rare < 0.23) await paid(customer);
    else if (rare < 0.28) await credited(customer);
    else if (rare < 0.31) await batched(customer);
    else await (random.chance(0.7) ? invoice(customer) : receipt());
  }
}
