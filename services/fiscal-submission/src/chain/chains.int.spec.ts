import { rmSync } from 'node:fs';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { systemClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { chainedAuthority, chainedLedger, type Kind } from '../authorities/testing/chained-authority.ts';
import type { Authority } from '../submission/authority.ts';
import { ahead, FiscalSystem, type SystemOptions } from '../testing/system.ts';
import { chainEvents, chainStream } from './chains.ts';
import type { ChainLink } from './domain/link.ts';
import { dyingStore, type Death } from './testing/dying-store.ts';

const authorities = (authority: Authority = chainedAuthority()): ReadonlyMap<string, Authority> => new Map([['chained', authority]]);
const requestsOf = (system: FiscalSystem, count: number): PublicEvent<RegistrationRequested>[] =>
  Array.from({ length: count }, () => system.requested({ authority: 'chained' }));

async function linksOf(system: FiscalSystem): Promise<ChainLink[]> {
  const stream = chainStream('test', system.account, { authority: 'chained', installation: 'I1', taxId: system.account });
  return (await system.fiscal.context.streams.read(stream)).map(chainEvents.decode).map(({ data }) => data);
}

/** One link a document, each behind the one before, as its submission knows it and the authority took it. */
async function expectOneChain(
  system: FiscalSystem,
  requests: PublicEvent<RegistrationRequested>[],
  ledger: ReturnType<typeof chainedLedger>,
) {
  const links = await linksOf(system);
  expect(links.map(({ position }) => position)).toEqual(requests.map((_, n) => n + 1));
  expect(links.map(({ document }) => document).sort()).toEqual(requests.map(({ subject }) => subject).sort());
  expect(links.map(({ previous }) => previous?.hash ?? null)).toEqual([null, ...links.slice(0, -1).map(({ hash }) => hash)]);
  expect(links.every(({ at }, n) => at >= (links[n - 1]?.at ?? ''))).toBe(true);
  expect(ledger.taken.map(({ hash }) => hash)).toEqual(links.map(({ hash }) => hash));
  expect(ledger.outOfOrder).toEqual([]);
}

const open = (over: Partial<SystemOptions>): FiscalSystem => new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', ...over });

test('records of one issuer are linked and sent in one order, by two processes at once', async () => {
  const ledger = chainedLedger();
  const system = open({ http: ledger.http, authorities: authorities() });
  const other = open({ http: ledger.http, authorities: authorities(), sharing: system });
  const requests = requestsOf(system, 20);
  await Promise.all([system.consumer.on(requests), other.consumer.on(requests)]);
  for (const { subject } of requests) await system.until(subject, 'registered');
  await expectOneChain(system, requests, ledger);
  await other.fiscal.background.beforeApplicationShutdown();
  await system.close();
});

test('a record that is refused keeps its link, and the next one follows it', async () => {
  const ledger = chainedLedger();
  let refused = '';
  const http: typeof ledger.http = async (request) => {
    const answered = await ledger.http(request);
    const { id, number } = JSON.parse(request.body ?? '') as { id: string; number: string };
    return number === refused ? { ...answered, body: Buffer.from(JSON.stringify({ id, refused: 'E1' })) } : answered;
  };
  const system = open({ http, authorities: authorities() });
  const requests = requestsOf(system, 3);
  refused = requests[1]?.data.number ?? '';
  for (const request of requests) await system.consumer.on([request]);
  await system.until(requests[2]?.subject ?? '', 'registered');
  expect((await system.state(requests[1]?.subject ?? '')).status).toBe('rejected');
  await expectOneChain(system, requests, ledger);
  await system.close();
});

test('a sending has the records that wait by then, and one that is refused does not refuse the others', async () => {
  const refused = new Set<string>();
  const ledger = chainedLedger({ wait: 60_000, refused });
  const system = open({ http: ledger.http, authorities: authorities(chainedAuthority({ most: 5 })) });
  const requests = requestsOf(system, 8);
  const [first, ...others] = requests;
  await system.consumer.on([first!]);
  await system.until(first!.subject, 'registered');
  refused.add(others[2]!.data.number);
  await system.consumer.on(others);
  const statuses: string[] = [];
  for (const { subject, data } of others)
    statuses.push((await system.until(subject, refused.has(data.number) ? 'rejected' : 'registered')).status);
  expect(statuses.filter((status) => status === 'rejected')).toHaveLength(1);
  expect(ledger.sendings.reduce((sum, records) => sum + records)).toBe(8);
  expect(ledger.sendings.length).toBeLessThanOrEqual(4);
  expect(Math.max(...ledger.sendings)).toBeLessThanOrEqual(5);
  await expectOneChain(system, requests, ledger);
  const [attempt] = await system.attempts(others[0]!.subject);
  expect(attempt).toMatchObject({ kind: 'submit', outcome: 'registered' });
  await system.close();
});

test('a sending goes before the time that the last answer has named once as many records wait as it takes', async () => {
  const ledger = chainedLedger({ wait: 60_000 });
  const system = open({ http: ledger.http, authorities: authorities(chainedAuthority({ most: 4 })), pace: 'live' });
  const requests = requestsOf(system, 6);
  const [first, second, ...others] = requests;
  await system.consumer.on([first!]);
  await system.until(first!.subject, 'registered');
  // Neither the next one nor one behind it looks again before that time.
  for (const request of [second!, others[0]!]) {
    await system.consumer.on([request]);
    await until(async () => ((await system.row(request.subject))?.due_at ?? 0) > systemClock.now() + 30_000);
  }
  for (const request of others.slice(1)) await system.consumer.on([request]);
  for (const { subject } of [second!, ...others.slice(0, 3)]) await system.until(subject, 'registered');
  expect(ledger.sendings).toEqual([1, 4]);
  await system.close();
});

test('a sending without an answer is sent again, and each of its records is registered once', async () => {
  const ledger = chainedLedger();
  let calls = 0;
  const http: typeof ledger.http = async (request) => {
    calls += 1;
    const answered = await ledger.http(request);
    if (calls <= 2) throw new Error('the connection broke');
    return answered;
  };
  const system = open({ http, authorities: authorities(chainedAuthority({ most: 4 })) });
  const requests = requestsOf(system, 6);
  await system.consumer.on(requests);
  for (const { subject } of requests) await system.until(subject, 'registered');
  await expectOneChain(system, requests, ledger);
  await system.close();
});

const DOCUMENTS = 3;

/** A process that dies at this append, and another that is given the same requests, as the bus repeats them. False: it came to no such append. */
async function dies(death: Death, kind: Kind): Promise<boolean> {
  const ledger = chainedLedger();
  const died = Promise.withResolvers<true>();
  const authority = chainedAuthority(kind);
  const options = { http: ledger.http, authorities: authorities(authority), signer };
  const victim: FiscalSystem = open({
    ...options,
    store: (store) => dyingStore(store, death, () => (victim.kill(), died.resolve(true))),
  });
  const requests = requestsOf(victim, DOCUMENTS);
  const handled = victim.consumer.on(requests).then(async () => {
    for (const { subject } of requests) await victim.until(subject, 'registered');
    return false as const;
  });
  const isDead = await Promise.race([died.promise, handled]);
  if (!isDead) await victim.close();
  else {
    const next = open({ ...options, sharing: victim, clock: ahead(61_000) });
    await next.consumer.on(requests);
    for (const { subject } of requests) await next.until(subject, 'registered');
    await expectOneChain(next, requests, ledger);
    await next.fiscal.background.beforeApplicationShutdown();
    victim.crash(); // its calls never end
    rmSync(victim.folder, { recursive: true, force: true });
  }
  return isDead;
}

const signer = {
  sign: async (_of: object, text: string) => ({ signature: Buffer.from(text), certificate: '' }),
  close: async () => undefined,
};

const variants: Kind[] = [{}, { signs: true }, { most: 3 }];

describe.each(variants)('a process that is killed between any two appends leaves one unbroken chain: %j', (kind) => {
  test.each(['before', 'after'] as const)('%s the store has it', async (when) => {
    let at = 1;
    while (await dies({ at, when }, kind)) at += 1;
    // of each document: opened, linked, prepared, started, ended; of a signature one more
    expect(at).toBeGreaterThan(4 * DOCUMENTS);
  });
});
