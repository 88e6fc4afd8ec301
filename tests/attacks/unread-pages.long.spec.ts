import { connect } from 'node:net';
import { HUGE, admin } from '../e2e/testing/accounts.ts';
import { type AttackFixture, openAttack } from './testing/fixture.ts';
import { longInvoice } from './testing/invoices.ts';

const ACCOUNTS = 10;
/** Invoices of an account, in batches, which make pages of some 3 MB. */
const [BATCHES, OF_EACH] = [3, 4];
/** Of the plan professional: requests at once, and then a second. */
const [BURST, A_SECOND] = [100, 1_000 / 60];
const FOR_MS = 40_000;
/** After which a reader that reads nothing leaves. */
const STAYS_MS = 22_000;

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack()));
afterAll(() => fixture?.close());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Failures of requests to services behind the gateway, which one process has not. */
async function failures(): Promise<string[]> {
  const metrics = await (await fetch(`${fixture.system.ops}/metrics`)).text();
  return metrics.split('\n').filter((line) => line.startsWith('svc_proxy_failures_total{') && !line.endsWith(' 0'));
}

test(`pages that ${ACCOUNTS} accounts ask for as often as their plan allows, and do not read, delay no other, and no process is taken for hung`, async () => {
  const attackers = await fixture.attackers(ACCOUNTS, HUGE);
  for (const { id, call, customer } of attackers) {
    const requests = Array.from({ length: OF_EACH }, () => longInvoice(customer, 240));
    for (let n = 0; n < BATCHES; n += 1) expect((await call('POST', '/invoices/batch', { body: { requests } })).status).toBe(200);
    expect((await call('GET', '/invoices?per_page=100')).text.length).toBeGreaterThan(2_500_000);
    const body = { plan: 'professional', limits: {} };
    expect((await admin(fixture.system)('PATCH', `/accounts/${id}`, { body })).status).toBe(200);
  }
  const port = Number(new URL(fixture.system.url).port);
  const statuses: Record<string, number> = {};
  /** Reads the beginning of a page, and no more. */
  const ask = (key: string): void => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.once('data', (piece: Buffer) => {
      const status = piece.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === '200') socket.pause();
      else socket.destroy();
    });
    socket.write(`GET /v1/invoices?per_page=100 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
    setTimeout(() => socket.destroy(), STAYS_MS).unref();
  };
  const before = await failures();
  await fixture.during(async () => {
    const began = Date.now();
    for (let asked = 0; Date.now() - began < FOR_MS; await sleep(50)) {
      const due = BURST + ((Date.now() - began) * A_SECOND) / 1_000;
      for (; asked < due; asked += 1) for (const { key } of attackers) ask(key);
    }
  });
  console.log(JSON.stringify(statuses));
  expect(Object.keys(statuses).filter((status) => !['200', '429', '503'].includes(status))).toEqual([]);
  expect(statuses['200']).toBeGreaterThan(ACCOUNTS);
  expect(await failures()).toEqual(before);
});
