import type { Browser } from '@svc/gateway/testing/browser';
import { streamOf } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { ConsoleSystem, listOf } from './testing/console-system.ts';

interface Entry {
  actor: { type: string; id: string; name?: string };
}

let system: ConsoleSystem;
let owner: Browser;
beforeAll(async () => {
  system = await ConsoleSystem.start();
  owner = await system.owner('Wqxj Tmbr');
});
afterAll(() => system.stop());

test('a member is in the history of a document by its id: the name is the present one, and no event holds it', async () => {
  const made = await owner.call('POST', '/v1/customers', { livemode: false, body: { name: 'Heron' } });
  const invoice = await owner.call('POST', '/v1/invoices', {
    livemode: false,
    body: { customer_id: made.body['id'], items: [{ description: 'Feed', unit_price: 10 }] },
  });
  const path = `/v1/invoices/${String(invoice.body['id'])}/events`;
  const namesAt = async () => listOf<Entry>(await owner.call('GET', path, { livemode: false })).map(({ actor }) => actor.name);
  expect(await namesAt()).toEqual(['Wqxj Tmbr']);
  await owner.call('PATCH', '/me', { body: { name: 'Plvk' } });
  expect(await namesAt()).toEqual(['Plvk']);
  const timeline = await owner.call('GET', `/documents/${String(invoice.body['id'])}/timeline`, { livemode: false });
  expect(listOf<Entry>(timeline)[0]?.actor.name).toBe('Plvk');
  const events = await system.ports.eventStore.read(streamOf('invoice', 'test', system.demo.account_id, String(invoice.body['id'])));
  expect(events.map(({ metadata }) => metadata.actor)).toEqual([
    { type: 'member', id: expect.stringMatching(/^mem_/) as string, via: 'link' },
  ]);
});

test('an erasure is in the audit, by the ids of who asked and of whom', async () => {
  const { body } = await owner.call('POST', '/v1/customers', { livemode: false, body: { name: 'Heron Wqxj' } });
  const id = String(body['id']);
  await owner.call('POST', `/v1/customers/${id}/erase`, { livemode: false });
  const entries = async () => listOf<object>(await owner.call('GET', `/audit?target=${id}`));
  await until(async () => (await entries()).length > 0);
  const [entry] = await entries();
  expect(entry).toMatchObject({
    action: 'customer.erased',
    actor: { type: 'member', name: 'Plvk' },
    target: { type: 'customer', id },
    changes: {},
  });
  expect(JSON.stringify(entry)).not.toContain('Wqxj');
});

test('what is missing before live documents is the same for a key and in the dashboard, and no step is of invoicing alone', async () => {
  const { body } = await owner.call('GET', '/setup');
  const { setup } = (await owner.call('GET', '/v1/issuer', { livemode: true })).body as {
    setup: { ready: boolean; steps: { id: string; done: boolean }[] };
  };
  expect(setup).toEqual(body['live']);
  expect(setup.steps.map(({ id, done }) => [id, done])).toEqual([
    ['issuer', false],
    ['numbers', true],
    ['authority', false],
    ['certificate', false],
    ['first_document', false],
  ]);
  const changed = await owner.call('PATCH', '/v1/issuer', { livemode: true, body: { trade_name: 'Acme' } });
  expect(changed.body['setup']).toEqual(setup);
});

test('search finds a receipt by the middle of its number, a customer by a word, and nothing for what is not there', async () => {
  const { body } = await owner.call('POST', '/v1/customers', { livemode: false, body: { name: 'Harbour Lamp' } });
  const receipt = await owner.call('POST', '/v1/receipts', {
    livemode: false,
    body: { items: [{ description: 'Feed', unit_price: 10 }], payment_method: 'cash' },
  });
  const number = String(receipt.body['number']);
  const find = async (q: string) =>
    listOf<{ id: string }>(await owner.call('GET', `/search?q=${encodeURIComponent(q)}`, { livemode: false })).map(({ id }) => id);
  await until(async () => (await find('lamp')).includes(String(body['id'])));
  for (const q of [number, number.slice(2, -2), number.slice(2), number.slice(-3)]) {
    await until(async () => (await find(q)).includes(String(receipt.body['id'])));
  }
  expect(await find('nothing-has-this')).toEqual([]);
});

test('what was sent to an endpoint that was deleted since stays in what happened to a document', async () => {
  const { body: endpoint } = await owner.call('POST', '/v1/webhooks', {
    livemode: false,
    body: { url: 'https://shop.example/hook', events: ['invoice.created'], description: 'Shop' },
  });
  const { body: customer } = await owner.call('POST', '/v1/customers', { livemode: false, body: { name: 'Gull' } });
  const draft = { customer_id: customer['id'], items: [{ description: 'Feed', unit_price: 10 }] };
  const { body: invoice } = await owner.call('POST', '/v1/invoices', { livemode: false, body: draft });
  const deliveries = async () => {
    const timeline = await owner.call('GET', `/documents/${String(invoice['id'])}/timeline`, { livemode: false });
    return listOf<{ kind: string; detail: object }>(timeline).flatMap(({ kind, detail }) => (kind === 'delivery' ? [detail] : []));
  };
  await until(async () => (await deliveries()).length > 0);
  const sent = { event_type: 'invoice.created', endpoint: { url: 'https://shop.example/hook', description: 'Shop' } };
  expect(await deliveries()).toMatchObject([{ ...sent, endpoint: { deleted_at: null } }]);
  const { status } = await owner.call('DELETE', `/v1/webhooks/${String(endpoint['id'])}`, { livemode: false });
  expect(status).toBe(200);
  expect(await deliveries()).toMatchObject([{ ...sent, endpoint: { deleted_at: expect.any(String) as string } }]);
  const list = await owner.call('GET', '/v1/webhooks?deleted=true', { livemode: false });
  expect(listOf<{ id: string }>(list).map(({ id }) => id)).toEqual([endpoint['id']]);
});

test('Today counts receipts beside invoices: one whose outcome is in doubt is found there and by the filter of the list', async () => {
  const made = await owner.call('POST', '/v1/receipts', {
    livemode: false,
    body: { items: [{ description: 'Feed', unit_price: 10 }], payment_method: 'cash' },
  });
  const { id } = made.body as { id: string };
  const doubtful = async () => {
    const today = listOf<{ kind: string; count: number; rows: { document?: { id: string } }[] }>(
      await owner.call('GET', '/today', { livemode: false }),
    ).find(({ kind }) => kind === 'in_doubt');
    const list = await owner.call('GET', '/v1/receipts?fiscal_status=unknown', { livemode: false });
    return {
      rows: today?.rows.map(({ document }) => document?.id) ?? [],
      count: today?.count,
      list: listOf<{ id: string }>(list).map((one) => one.id),
    };
  };
  await until(async () => (await doubtful()).rows.includes(id));
  const { list, count } = await doubtful();
  expect(list).toContain(id);
  expect(count).toBe(list.length);
  expect(listOf(await owner.call('GET', '/v1/receipts?fiscal_status=registered', { livemode: false }))).toEqual([]);
});

test('every member reads the day, the currency, the tills of the issuer and how it calculates, and a cashier nothing else of it', async () => {
  const units = [
    { code: 'QUAY', address: { city: 'Vlora' }, devices: ['Q1', 'Q2'] },
    { code: 'SHED', devices: [] },
  ];
  const changed = await owner.call('PATCH', '/v1/issuer', { livemode: false, body: { time_zone: 'Europe/Tirane', units } });
  expect(changed.status).toBe(200);
  const cashier = await system.invited(owner, 'cashier');
  const { status, body } = await cashier.call('GET', '/issuer', { livemode: false });
  expect([status, body]).toEqual([
    200,
    {
      ...{ time_zone: 'Europe/Tirane', currency: changed.body['currency'], authorities: expect.arrayContaining(['sandbox']) as string[] },
      ...{ prices_include_tax: false, rounding: 'line', default_tax_rate: 20 },
      units: [
        { code: 'QUAY', devices: ['Q1', 'Q2'] },
        { code: 'SHED', devices: [] },
      ],
    },
  ]);
  expect((await cashier.call('GET', '/issuer', { livemode: true })).body['units']).toEqual([]);
  expect((await cashier.call('GET', '/v1/issuer', { livemode: false })).status).toBe(403);
  expect((await cashier.call('GET', '/issuer')).status).toBe(400);
});

test('a request that succeeded is found by its id with the lines that it made, and a long history is shown by its pages', async () => {
  const { body: customer } = await owner.call('POST', '/v1/customers', { livemode: false, body: { name: 'Heron' } });
  const draft = { customer_id: customer['id'], items: [{ description: 'Feed', unit_price: 10 }] };
  const { body: invoice } = await owner.call('POST', '/v1/invoices', { livemode: false, body: draft });
  const id = String(invoice['id']);
  const requests: string[] = [];
  for (let n = 0; n < 44; n += 1) {
    const { headers } = await owner.call('PATCH', `/v1/invoices/${id}`, { livemode: false, body: { metadata: { n: String(n) } } });
    requests.push(String(headers['x-request-id']));
  }
  await until(async () => {
    const [last] = listOf<{ sequence: number }>(await owner.call('GET', '/v1/events?per_page=1', { livemode: false }));
    return last?.sequence === 45;
  });
  const { body: request } = await owner.call('GET', `/requests/${requests[30]}`, { livemode: false });
  expect(request['events']).toEqual([{ document_id: id, type: 'updated', at: expect.any(String) as string }]);
  const history = [];
  for (const page of [1, 2, 3]) {
    const { body } = await owner.call('GET', `/documents/${id}/timeline?per_page=20&page=${page}`, { livemode: false });
    history.push(...(body['data'] as (Entry & { request_id: string })[]));
    expect((body['meta'] as { total: number }).total).toBe(45);
  }
  expect(history.map(({ request_id: by }) => by).slice(0, 44)).toEqual(requests.toReversed());
});
