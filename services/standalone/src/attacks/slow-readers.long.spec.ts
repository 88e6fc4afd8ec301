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

test('200 answers to writes of large invoices, behind each other and never taken, do not fill the memory', async () => {
  const { call, key, customer } = arena.attacker;
  const made = await call<{ id: string }>('POST', '/invoices', { body: wideInvoice(customer) });
  expect(made.status).toBe(201);
  const size = made.text.length;
  expect(size).toBeGreaterThan(400 * KIB);
  const before = arena.memory();
  const seen = await arena.during(async () => {
    for (let n = 0; n < 200; n += 1) {
      const body = JSON.stringify({ notes: `${n}` });
      const head = `PATCH /v1/invoices/${made.body.id} HTTP/1.1\r\nauthorization: Bearer ${key}`;
      if (n % 10 === 0) paused(head, body);
      else
        [...sockets].at(-1)?.write(`${head}\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    }
    await seconds(15);
  });
  console.log(JSON.stringify({ bytes: 200 * size, before, most: seen.mostMemory }));
});

test('lists of eight accounts with slow readers keep a ninth waiting for no list of its own', async () => {
  const { victim, system } = arena;
  const fill = async (call: typeof victim.call, customer: string): Promise<void> => {
    for (let n = 0; n < 60; n += 1) expect((await call('POST', '/invoices', { body: longInvoice(customer, 250) })).status).toBe(201);
  };
  await fill(victim.call, victim.customer);
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
      const { status, body } = await victim.call<{ data: unknown[] }>('GET', '/invoices?per_page=100');
      statuses.push(status);
      expect(body.data.length).toBeGreaterThanOrEqual(60);
    }
    over = true;
    await reading;
  });
  expect(statuses).toEqual(Array(5).fill(200));
});
