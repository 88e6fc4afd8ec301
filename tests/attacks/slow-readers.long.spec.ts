import { connect, type Socket } from 'node:net';
import { openAccount } from '../e2e/testing/accounts.ts';
import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { longInvoice, wideInvoice } from './testing/invoices.ts';

const KIB = 1024;
let fixture: AttackFixture;
const sockets = new Set<Socket>();
beforeEach(async () => (fixture = await openAttack()));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await fixture?.close();
});

/** A connection that sends pipelined requests and reads nothing by itself. */
function paused(key: string, ...requests: { line: string; body?: string }[]): Socket {
  const socket = connect(Number(new URL(fixture.system.url).port), '127.0.0.1').on('error', () => undefined);
  sockets.add(socket);
  const headers = `host: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json`;
  const texts = requests.map(
    ({ line, body = '' }) => `${line} HTTP/1.1\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  socket.pause().write(texts.join(''));
  return socket;
}
const seconds = (n: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, n * 1_000));

const CONNECTIONS = 15;
const INVOICES = 20;
/** Changes of an invoice by a connection: the kernel alone takes some seven unread responses of a connection. */
const CHANGES = 3;
const WRITES = CONNECTIONS * INVOICES * CHANGES;

test(`refuses most of ${WRITES} changes of large invoices whose responses are never read, before they are carried out`, async () => {
  const { call, key, customer } = fixture.attacker;
  const { items, ...rest } = wideInvoice(customer, { lines: 450, taxes: 2 });
  const body = { ...rest, items: items.map((item) => ({ ...item, description: 'x'.repeat(400) })) };
  const paths: string[] = [];
  for (let n = 0; n < INVOICES; n += 1) {
    const made = await call<{ id: string }>('POST', '/invoices', { body });
    expect(made.status).toBe(201);
    expect(made.text.length).toBeGreaterThan(200 * KIB);
    paths.push(`/invoices/${made.body.id}`);
  }
  /** The sum of versions: creations and changes. */
  const changes = async (): Promise<number> => {
    let sum = 0;
    for (const path of paths) sum += Number((await call('GET', path)).headers.get('etag')?.replaceAll('"', ''));
    return sum;
  };
  const before = await changes();
  await fixture.during(async () => {
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const requests = Array.from({ length: CHANGES }, (_, round) =>
        paths.map((path) => ({ line: `PATCH /v1${path}`, body: JSON.stringify({ notes: `${n} ${round}` }) })),
      );
      paused(key, ...requests.flat());
      await seconds(1); // The attack is on memory, not on the processor.
    }
    await seconds(15);
  });
  const done = (await changes()) - before;
  console.log(JSON.stringify({ done }));
  expect(done).toBeLessThan(0.75 * WRITES); // All of them if unread responses were not counted.
});

test('serves the lists of a ninth account beside eight accounts with slow readers', async () => {
  const { attacker: ninth, system } = fixture;
  const fill = async (call: typeof ninth.call, customer: string): Promise<void> => {
    for (let n = 0; n < 60; n += 1) expect((await call('POST', '/invoices', { body: longInvoice(customer, 250) })).status).toBe(201);
  };
  await fill(ninth.call, ninth.customer);
  const keys: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    const { test, testKey } = await openAccount(system, `Slow ${n}`, { onAnswer: () => undefined });
    const { body } = await test<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
    await fill(test, body.id);
    keys.push(testKey);
  }
  const statuses: number[] = [];
  await fixture.during(async () => {
    for (const key of keys) for (let n = 0; n < 4; n += 1) paused(key, { line: 'GET /v1/invoices?per_page=100' });
    let over = false;
    const reading = (async () => {
      while (!over) {
        for (const socket of sockets) socket.read(32 * KIB);
        await seconds(0.5);
      }
    })();
    for (let n = 0; n < 5; n += 1) {
      await seconds(3);
      const { status, body } = await ninth.call<{ data: unknown[] }>('GET', '/invoices?per_page=100');
      statuses.push(status);
      expect(body.data.length).toBeGreaterThanOrEqual(60);
    }
    over = true;
    await reading;
  });
  expect(statuses).toEqual(Array(5).fill(200));
});
