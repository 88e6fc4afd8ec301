import { connect, type Socket } from 'node:net';
import { type AttackFixture, openAttack, PROFESSIONAL } from './testing/fixture.ts';
import { longInvoice } from './testing/invoices.ts';

const ACCOUNTS = 10;
/** Uploads of an account at once, each announced with as many bytes as an invoice may have. */
const [UPLOADS, BYTES] = [90, 262_144];
const ROUNDS = 4;
const BURST = 6;

let fixture: AttackFixture;
const open = new Map<Socket, string>();
beforeAll(async () => (fixture = await openAttack()));
afterAll(async () => {
  for (const socket of open.keys()) socket.destroy();
  await fixture?.close();
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test(`uploads of ${ACCOUNTS} accounts that are announced and do not come delay no other account, nor its own large invoices`, async () => {
  const port = Number(new URL(fixture.system.url).port);
  let isOver = false;
  const upload = (key: string): void => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    open.set(socket, key);
    const headers = `host: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${BYTES}`;
    socket.write(`POST /v1/invoices HTTP/1.1\r\n${headers}\r\n\r\n{`);
    socket.resume().on('close', () => {
      open.delete(socket);
      if (!isOver) setTimeout(() => isOver || upload(key), 1_000);
    });
  };
  const attackers = await fixture.attackers(ACCOUNTS, PROFESSIONAL);
  const [another] = await fixture.attackers(1, PROFESSIONAL);
  if (!another) throw new Error('there is no other account');
  const statuses: number[][] = [];
  await fixture.during(async () => {
    for (const { key } of attackers) for (let n = 0; n < UPLOADS; n += 1) upload(key);
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(3_000);
      const body = longInvoice(another.customer, 80);
      const made = await Promise.all(Array.from({ length: BURST }, () => another.call('POST', '/invoices', { body })));
      statuses.push(made.map(({ status }) => status));
    }
    console.log(JSON.stringify({ open: open.size }));
    isOver = true;
  });
  expect(statuses).toEqual(Array(ROUNDS).fill(Array(BURST).fill(201)));
});
