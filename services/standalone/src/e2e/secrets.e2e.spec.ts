import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startReceiver, startSystem, type System } from '@svc/testkit';
import { provokeRefusals } from './refusals.suite.ts';
import { tour, type Toured } from './tour.suite.ts';

/** A customer who never got an invoice, and one whose issued receipt keeps a copy of him. */
const people = ['quiet', 'invoiced'].map((word) => ({
  name: `Zz${word} Kestrelwood`,
  email: `zz${word}@kestrelwood.example`,
  phone: `+355 69 ${word.length}${word.length}71 930`,
  address: { line1: `Zz${word} street 7`, city: 'Tirana', country: 'AL' },
}));
const personal = ({ name, email, phone, address }: (typeof people)[number]): string[] => [name, email, phone, address.line1];

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: System;
let toured: Toured;
let customers: string[];
/** What the process wrote after the lines that show the demo account once. */
let log: string;
beforeAll(async () => {
  receiver = await startReceiver();
  system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, LOG_LEVEL: 'debug', REQUIRE_HTTPS: 'true' });
  const before = system.output().length;
  toured = await tour(system, receiver.origin, () => undefined);
  await provokeRefusals(system, () => undefined);
  const call = toured.account.test;
  customers = [];
  for (const [n, person] of people.entries()) {
    const made = await call<{ id: string }>('POST', '/customers', { body: person, headers: { 'idempotency-key': `person-${n}` } });
    customers.push(made.body.id);
    await call('PATCH', `/customers/${made.body.id}`, { body: { language: 'sq' } });
    await call('POST', '/customers', { body: { ...person, email: 'no email' } });
    await call('GET', '/customers', { query: { email: person.email } });
  }
  const [, invoiced] = customers;
  await call('POST', '/receipts', {
    body: { customer_id: invoiced, payment_method: 'cash', items: [{ description: 'Tea', unit_price: 2 }] },
    headers: { prefer: 'wait=10' },
  });
  await new Promise((resolve) => setTimeout(resolve, 1500)); // what follows an event is done by now
  await system.kill('SIGTERM');
  log = system.output().slice(before);
}, 180_000);
afterAll(async () => {
  await system?.stop();
  await receiver.close();
});

const found = (text: string | Buffer, needles: string[]): string[] => needles.filter((needle) => text.includes(needle));
/** A webhook secret is known by its text, its key in base64 and its key. */
const forms = (secret: string): string[] => (secret.startsWith('whsec_') ? [secret, secret.slice(6)] : [secret]);
const secrets = (): string[] => [...toured.secrets, system.setup.test_key, system.setup.live_key].flatMap(forms);
const folder = (): string => join(system.dataDir, 'data');

test('the tour met what is to be looked for', () => {
  expect(toured.secrets.filter((secret) => secret.startsWith('whsec_')).length).toBeGreaterThanOrEqual(2);
  expect(toured.secrets.filter((secret) => secret.startsWith('svc_')).length).toBeGreaterThanOrEqual(4);
  expect(log.length).toBeGreaterThan(1000);
});

test('the log has no key, secret, token or person in it', () => {
  expect(found(log, [...secrets(), system.setup.admin_token])).toEqual([]);
  expect(found(log, people.flatMap(personal))).toEqual([]);
  expect(log).not.toMatch(/Bearer /);
});

test('the keys shown at the first start are in no line of the log', () => {
  const lines = system
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(10);
  expect(found(lines.join('\n'), [...secrets(), system.setup.admin_token])).toEqual([]);
});

test('the data folder has no key and no webhook secret in clear', () => {
  for (const name of readdirSync(folder())) {
    const bytes = readFileSync(join(folder(), name));
    expect([name, found(bytes, secrets())]).toEqual([name, []]);
    const keys = toured.secrets.filter((secret) => secret.startsWith('whsec_')).map((secret) => Buffer.from(secret.slice(6), 'base64'));
    expect([name, keys.filter((key) => bytes.includes(key)).length]).toEqual([name, 0]);
  }
});

describe('in the event store', () => {
  const events = (): string[] => {
    const db = new DatabaseSync(join(folder(), 'data.sqlite'), { readOnly: true });
    const rows = db.prepare('SELECT * FROM events').all() as Record<string, unknown>[];
    db.close();
    return rows.map((row) =>
      Object.values(row)
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
        .join(' '),
    );
  };

  test('the events of customers are sealed', () => {
    const all = events();
    for (const [n, id] of customers.entries()) {
      const own = all.filter((text) => text.includes(`.${id}`));
      expect([id, own.length >= 2]).toEqual([id, true]);
      expect([id, found(own.join('\n'), personal(people[n] as (typeof people)[number]))]).toEqual([id, []]);
    }
  });

  test('only an issued document has a person in clear', () => {
    const [quiet, invoiced] = people as [(typeof people)[0], (typeof people)[0]];
    const all = events().join('\n');
    expect(found(all, personal(quiet))).toEqual([]);
    expect(found(all, [invoiced.name])).toEqual([invoiced.name]);
  });
});
