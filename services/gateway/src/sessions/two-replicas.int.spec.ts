import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import { memoryLimiter } from '../limiter/counters.ts';
import { ensureOwner } from '../members/first-owner.ts';
import { Browser, code, tokenOf } from '../testing/browser.ts';
import { PASSWORD } from '../testing/console-people.ts';
import { type GatewayApp, startGatewayApp } from '../testing/gateway-app.ts';

const WITHIN_MS = 5_000;
/** A member has 300 requests a minute. */
const PAUSE_MS = 250;
const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
const engine = Engine.open(folder, { durable: false });
const documents = embeddedDocumentStore(engine, 'svc_gateway');
let replicas: GatewayApp[];
beforeAll(async () => {
  const limiter = memoryLimiter(clock);
  replicas = [await startGatewayApp({ documents, limiter, invoicing: [] }), await startGatewayApp({ documents, limiter, invoicing: [] })];
});
afterAll(async () => {
  for (const { app } of replicas) await app.close();
  engine.close();
  rmSync(folder, { recursive: true });
});

let addresses = 0;
/** A browser at the first replica, and the same one at the second: they share their cookies. */
function browsers(): [Browser, Browser] {
  const from = `127.40.0.${(addresses += 1)}`;
  const [first, second] = replicas.map(({ port }) => new Browser(() => port, from)) as [Browser, Browser];
  Object.assign(second, { cookies: first.cookies });
  return [first, second];
}

async function joined([first]: [Browser, Browser], link: string): Promise<void> {
  await first.call('POST', '/session', { body: { token: tokenOf(link) } });
  expect(code(await first.call('PATCH', '/me', { body: { password: { new: PASSWORD } } }))).toBe('200');
}

async function owner(email: string) {
  const { gateway, account } = replicas[0] as GatewayApp;
  const { id } = await account();
  const both = browsers();
  await joined(both, (await ensureOwner(gateway.accounts, { account: id, email }, { type: 'system', id: 'operator' })) ?? '');
  return both;
}

async function invited([first]: [Browser, Browser], email: string) {
  const { body } = await first.call('POST', '/members', { body: { email, role: 'admin' } });
  const both = browsers();
  await joined(both, String(body['invitation_url']));
  return { both, id: String(body['id']), email };
}

/** Milliseconds from now until the last request began that a session let in. */
async function lastsFor(browser: Browser): Promise<number> {
  const from = performance.now();
  let last = 0;
  for (let asked = 0; asked < 2 * WITHIN_MS; asked = performance.now() - from) {
    if (code(await browser.call('GET', '/me')) === '401 invalid_session') return last;
    last = asked;
    await clock.sleep(PAUSE_MS);
  }
  return last;
}

test.each([
  ['the member is disabled', (by: Browser, id: string) => by.call('PATCH', `/members/${id}`, { body: { disabled: true } })],
  ['it is removed', (by: Browser, id: string) => by.call('DELETE', `/members/${id}`)],
  ['its role loses a permission', (by: Browser, id: string) => by.call('PATCH', `/members/${id}`, { body: { role: 'viewer' } })],
])('a session ends at the other replica within 5 s when %s', async (what, end) => {
  const house = await owner(`${what.length}.owner@example.com`);
  const { both, id } = await invited(house, `${what.length}.member@example.com`);
  expect(code(await both[1].call('GET', '/me'))).toBe('200'); // it is in the cache now
  expect(code(await end(house[0], id))).toBe('200');
  expect(await lastsFor(both[1])).toBeLessThan(WITHIN_MS);
});

test('a session that is signed out at one replica is none at the other within 5 s', async () => {
  const [first, second] = await owner('out@example.com');
  expect(code(await second.call('GET', '/me'))).toBe('200');
  const cookies = new Map(first.cookies);
  expect(code(await first.call('DELETE', '/session'))).toBe('200');
  for (const [name, value] of cookies) second.cookies.set(name, value);
  expect(await lastsFor(second)).toBeLessThan(WITHIN_MS);
});

test('what was given at one replica holds at the other at once: a password, and a step-up', async () => {
  const [first, second] = await owner('once@example.com');
  expect(code(await second.call('POST', '/members', { body: { email: 'new@example.com', role: 'viewer' } }))).toBe('201');
  expect(code(await first.call('GET', '/me'))).toBe('200');
});

test('a change is in the audit once, whichever replica publishes it', async () => {
  const [first, second] = await owner('audit@example.com');
  await Promise.all(
    ['A', 'B', 'C'].map((name, n) => (n % 2 === 0 ? first : second).call('PATCH', '/account', { body: { name: `Name ${name}` } })),
  );
  const entries = async () => (await second.call('GET', '/audit?action=account.updated')).body['data'] as { id: string }[];
  const until = clock.now() + 30_000;
  let ids: string[] = [];
  while (ids.length < 3 && clock.now() < until) {
    await clock.sleep(PAUSE_MS);
    ids = (await entries()).map(({ id }) => id);
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(3);
});
