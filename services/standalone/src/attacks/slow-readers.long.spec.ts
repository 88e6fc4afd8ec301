import { connect, type Socket } from 'node:net';
import { openAccount } from '../e2e/accounts.suite.ts';
import { openArena, type Arena } from './arena.suite.ts';
import { longInvoice, wideInvoice } from './invoices.suite.ts';

const KIB = 1024;
let arena: Arena;
const sockets = new Set<Socket>();
beforeEach(async () => (arena = await openArena()));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await arena?.close();
});

/** A connection that takes nothing by itself. */
function paused(head: string, body = ''): Socket {
  const socket = connect(Number(new URL(arena.system.url).port), '127.0.0.1').on('error', () => undefined);
  sockets.add(socket);
  socket.pause().write(`${head}\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return socket;
}
const seconds = (n: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, n * 1_000));

const WRITES = 200;

test(`${WRITES} answers to writes of large invoices, behind each other and never taken, do not fill the memory`, async () => {
  const { call, key, customer } = arena.attacker;
  const { items, ...rest } = wideInvoice(customer, { lines: 450, taxes: 2 });
  const body = { ...rest, items: items.map((item) => ({ ...item, description: 'x'.repeat(400) })) };
  const made = await call<{ id: string }>('POST', '/invoices', { body });
  expect(made.status).toBe(201);
  const size = made.text.length;
  expect(size).toBeGreaterThan(200 * KIB);
  const before = arena.memory();
  const seen = await arena.during(async () => {
    for (let n = 0; n < WRITES; n += 1) {
      const change = JSON.stringify({ notes: `${n}` });
      const head = `PATCH /v1/invoices/${made.body.id} HTTP/1.1\r\nauthorization: Bearer ${key}`;
      if (n % 20 === 0) paused(head, change);
      else
        [...sockets]
          .at(-1)
          ?.write(`${head}\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${change.length}\r\n\r\n${change}`);
      await seconds(0.05); // the memory is what is attacked, not the processor
    }
    await seconds(15);
  });
  console.log(JSON.stringify({ bytes: WRITES * size, before, most: seen.mostMemory }));
});

test('lists of eight accounts with slow readers keep a ninth waiting for no list of its own', async () => {
  const { attacker: ninth, system } = arena;
  const fill = async (call: typeof ninth.call, customer: string): Promise<void> => {
    for (let n = 0; n < 60; n += 1) expect((await call('POST', '/invoices', { body: longInvoice(customer, 250) })).status).toBe(201);
  };
  await fill(ninth.call, ninth.customer);
  const keys: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    const { test, testKey } = await openAccount(system, `Slow ${n}`, { told: () => undefined });
    const { body } = await test<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
    await fill(test, body.id);
    keys.push(testKey);
  }
  const statuses: number[] = [];
  await arena.during(async () => {
    for (const key of keys) for (let n = 0; n < 4; n += 1) paused(`GET /v1/invoices?per_page=100 HTTP/1.1\r\nauthorization: Bearer ${key}`);
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
