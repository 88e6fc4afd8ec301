import { topics } from '@svc/contracts/events/envelope';
import { partitionOf } from '@svc/event-bus/kafka/topics';
import { eventually, withMongo, databasesOf, type NamespacedServers } from '@svc/testkit';
import { openAccount, type Account } from '../accounts.ts';
import { item } from '../api-fixture.ts';
import type { Shared } from './shared-system.ts';

const WORD = /Qz[a-z]+Tallowby/g;
const wordsIn = (text: string): string[] => [...new Set(text.match(WORD))].sort();
/** A person in whose every field is a word that nothing else has. */
const person = (who: string) => ({
  name: `Qz${who}nameTallowby`,
  email: `Qz${who}mailTallowby@tallowby.example`,
  phone: `Qz${who}phoneTallowby`,
  tax_id: `Qz${who}taxTallowby`,
  tax_ids: [{ country: 'AQ', value: `Qz${who}furtherTallowby`, kind: 'vat' }],
  address: { line1: `Qz${who}streetTallowby`, city: `Qz${who}cityTallowby`, postal_code: `Qz${who}postTallowby` },
});
const renamed = (who: string) => ({ name: `Qz${who}laterTallowby` });
/** Not encrypted, and not erased. */
const kept = { language: 'sq', metadata: { crm: '17' } };
const legal = wordsIn(JSON.stringify([person('named'), renamed('named')]));

/** After an erasure nothing shows the person but the documents that were issued to it; on servers no collection has it either. */
export function testErasure(shared: () => Shared): void {
  let account: Account;
  let webhook: string;
  let issued: string;
  /** In the order of quiet, named, and one of a batch. */
  let ids: string[];
  const path = '/erasure';
  const keyOf = ({ name }: { name: string }): string => `erasing-${name}`;
  const create = async (body: { name: string }): Promise<string> => {
    const { body: made } = await account.test<{ id: string }>('POST', '/customers', {
      body,
      headers: { 'idempotency-key': keyOf(body) },
    });
    return made.id;
  };
  const deliveries = () => shared().receiver.deliveries.filter((one) => one.path === path);
  const shown = async (route: string, query: Record<string, string | number> = {}): Promise<string[]> =>
    wordsIn((await account.test('GET', route, { query })).text);

  beforeAll(async () => {
    const { system, receiver } = shared();
    account = await openAccount(system, 'Erasing');
    const events = ['customer.created', 'customer.updated', 'customer.deleted'];
    webhook = (await account.test<{ id: string }>('POST', '/webhooks', { body: { url: `${receiver.origin}${path}`, events } })).body.id;
    ids = [await create(person('quiet')), await create(person('named'))];
    const batch = { body: { requests: [person('batch')] }, headers: { 'idempotency-key': 'erasing-batch' } };
    const { body } = await account.test<{ data: { resource: { id: string } }[] }>('POST', '/customers/batch', batch);
    ids.push(String(body.data[0]?.resource.id));
    for (const [n, who] of ['quiet', 'named'].entries())
      await account.test('PATCH', `/customers/${ids[n]}`, { body: { ...renamed(who), ...kept } });
    const draft = await account.test<{ id: string }>('POST', '/invoices', { body: { customer_id: ids[1], items: [item] } });
    issued = draft.body.id;
    await account.test('POST', `/invoices/${issued}/submit`, { headers: { prefer: 'wait=25' } });
    await eventually(() => deliveries().length >= 5, 'the webhooks');
    if (system.servers) await publishUnknown(system.servers, ids[0] as string, person('quiet'));
  });

  test('before it, answers and all kinds of copies have the person', async () => {
    expect((await shown('/customers')).length).toBeGreaterThan(15);
    expect((await shown('/events')).length).toBeGreaterThan(15);
    const { servers } = shared().system;
    if (!servers) return;
    const copies = [
      'svc_invoicing.customers',
      'svc_gateway.idempotency_keys',
      'svc_webhooks.events',
      'svc_webhooks.webhooks_dispatcher_dead_letters',
    ];
    const holding = async () => [...new Set((await holders(servers)).map(({ name }) => name.replace(/_v\d+$/, '')))];
    await eventually(async () => copies.every(async (name) => (await holding()).includes(name)), 'the copies');
    expect(await holding()).toEqual(expect.arrayContaining(copies));
  });

  test('after it no read, list, search, event, delivery, report or repeated request shows it', async () => {
    for (const id of ids) {
      const { status, text } = await account.test('POST', `/customers/${id}/erase`);
      expect([status, wordsIn(text)]).toEqual([200, []]);
    }
    const before = deliveries().length;
    for (const [n, id] of ids.entries()) {
      const { body } = await account.test('GET', `/customers/${id}`);
      expect(body).toMatchObject({ name: null, email: null, phone: null, tax_id: null, address: null, erased_at: expect.any(String) });
      expect([n, wordsIn(JSON.stringify(body))]).toEqual([n, []]);
      if (n < 2) expect(body).toMatchObject(kept);
    }
    for (const query of [{ deleted: 'all' }, { deleted: 'true', sort: 'name' }] as Record<string, string>[])
      expect(await shown('/customers', query)).toEqual([]);
    const { name, email, tax_id } = person('quiet');
    for (const query of [{ q: name }, { email }, { tax_id }] as Record<string, string>[]) {
      const found = await account.test<{ data: unknown[] }>('GET', '/customers', {
        query: { deleted: 'all', ...query },
      });
      expect(found.body.data).toEqual([]);
    }
    const events = async () => (await shown('/events', { per_page: 100 })).filter((word) => !legal.includes(word));
    await eventually(async () => (await events()).length === 0, 'events without the person');
    const customers = { type: 'customer.created', per_page: 100 };
    expect(await shown('/events', customers)).toEqual([]);
    expect(await shown(`/webhooks/${webhook}/deliveries`, { per_page: 100 })).toEqual([]);
    const { data: kinds } = (await account.test<{ data: { name: string }[] }>('GET', '/reports')).body;
    expect(kinds.length).toBeGreaterThan(0);
    for (const { name: report } of kinds) expect(await shown(`/reports/${report}`)).toEqual([]);
    const repeated = { headers: { 'idempotency-key': keyOf(person('quiet')) }, body: person('quiet') };
    const batch = { body: { requests: [person('batch')] }, headers: { 'idempotency-key': 'erasing-batch' } };
    await eventually(async () => wordsIn((await account.test('POST', '/customers', repeated)).text).length === 0, 'the repeated request');
    await eventually(async () => wordsIn((await account.test('POST', '/customers/batch', batch)).text).length === 0, 'the repeated batch');
    await eventually(() => deliveries().filter(({ body }) => body.type === 'customer.deleted').length === ids.length, 'the last webhooks');
    expect(
      wordsIn(
        deliveries()
          .slice(before)
          .map(({ raw }) => raw.toString())
          .join(),
      ),
    ).toEqual([]);
  });

  test('an issued document keeps its copy', async () => {
    const { body, text } = await account.test<{ number: string }>('GET', `/invoices/${issued}`);
    expect(body.number).toEqual(expect.any(String));
    expect(wordsIn(text)).toEqual(expect.arrayContaining([renamed('named').name, person('named').tax_id]));
  });

  test('on servers no document of any collection has it, but those of the issued document', async () => {
    const { servers } = shared().system;
    if (!servers) return;
    const others = async () =>
      (await holders(servers)).filter(({ text }) => !text.includes(issued)).map(({ name, text }) => [name, wordsIn(text)]);
    await eventually(async () => (await others()).length === 0, 'collections without the person').catch(() => undefined);
    expect(await others()).toEqual([]);
    const legally = await holders(servers);
    expect(legally.length).toBeGreaterThan(0);
    expect(legally.flatMap(({ text }) => wordsIn(text)).filter((word) => !legal.includes(word))).toEqual([]);
  });
}

/** The documents that have a word of a person, by `<database>.<collection>` without the namespace. */
const holders = (servers: NamespacedServers): Promise<{ name: string; text: string }[]> =>
  withMongo(servers, async (client) => {
    const all: { name: string; text: string }[] = [];
    for (const database of await databasesOf(client, servers))
      for (const collection of await client.db(database).collections())
        for await (const raw of collection.find({}, { raw: true })) {
          const text = Buffer.from(raw as unknown as Uint8Array).toString('latin1');
          if (wordsIn(text).length > 0)
            all.push({ name: `${database}.${collection.collectionName}`.slice(servers.namespace.length + 1), text });
        }
    return all;
  });

/** An event of a later release about the customer: a dead letter of every group that reads of customers. */
async function publishUnknown({ kafkaBrokers, namespace }: NamespacedServers, customer: string, data: object): Promise<void> {
  const { default: kafkajs } = await import('kafkajs');
  const producer = new kafkajs.Kafka({ clientId: 'test', brokers: kafkaBrokers.split(','), logLevel: kafkajs.logLevel.NOTHING }).producer();
  const type = 'invoicing.customer-updated.v99';
  const envelope = {
    id: `evt_${customer.slice(5)}`,
    type,
    subject: customer,
    source: 'invoicing',
    sequence: 99,
    env: 'test',
    account: 'acct_x',
  };
  const value = JSON.stringify({ ...envelope, time: new Date().toISOString(), data: { ...data, id: customer } });
  await producer.connect();
  await producer.send({ topic: `${namespace}.${topics.customer}`, messages: [{ key: customer, partition: partitionOf(customer), value }] });
  await producer.disconnect();
}
