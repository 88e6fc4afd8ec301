import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { createRetention, embeddedDocumentStore, type Collection, type Doc } from '@svc/document-store';
import { keepReceived, keepSent, type WireEntry } from '@svc/fiscal-submission/submission/wire-log';
import { WIRE_LOG_KEPT_DAYS, wireLogRetention } from '@svc/fiscal-submission/submission/wire-log-retention';
import { expiredKeys } from '@svc/gateway/idempotency/expiry';
import { idempotencyRows } from '@svc/gateway/idempotency/row';
import { createIdempotencyStore } from '@svc/gateway/idempotency/store';
import { createIds, FakeClock, iso, settleTurns, toUuid } from '@svc/kernel';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { FanOut } from '@svc/webhooks-dispatcher/delivery/fan-out';
import { answer, openProcess, ring } from '@svc/webhooks-dispatcher/delivery/testing/process';
import { customerCreated, shopEndpoint, silent } from '@svc/webhooks-dispatcher/delivery/testing/rows';
import { retentionsOf } from '@svc/webhooks-dispatcher/retention';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Of a month, in each of which rows of every kind are stored. */
const STEPS_OF_A_DAY = 12;
const STEPS = 30 * STEPS_OF_A_DAY;

const folder = mkdtempSync(join(tmpdir(), 'svc-retention-'));
const clock = new FakeClock();
const ids = createIds(clock);
let sent = 0;
const { engine, context, worker } = openProcess(folder, {
  ...{ clock, lookEvery: HOUR },
  /** Refuses each tenth webhook, which is tried again. */
  send: () => answer((sent += 1) % 10 === 0 ? 503 : 200),
});
const fanOut = new FanOut(context, worker);
const [ofWebhooks, ofGateway, ofSubmissions] = ['svc_webhooks', 'svc_gateway', 'svc_fiscal_submission'].map((database) =>
  embeddedDocumentStore(engine, database),
) as [Documents, Documents, Documents];
type Documents = ReturnType<typeof embeddedDocumentStore>;
const keys = idempotencyRows(ofGateway);
const secrets = parseKeyRing(newKeyRing());
const processes = { own: () => undefined, isGone: async () => false };
const answers = createIdempotencyStore({ rows: keys, clock, secrets, processes });
const wireLog = ofSubmissions.collection<WireEntry>('wire_log', { texts: ['bytes'] });

const running = [
  createRetention({ documents: ofWebhooks, clock, logger: silent, of: retentionsOf(context) }),
  createRetention({ documents: ofGateway, clock, logger: silent, of: [expiredKeys(keys)] }),
  createRetention({ documents: ofSubmissions, clock, logger: silent, of: [wireLogRetention(wireLog, WIRE_LOG_KEPT_DAYS)] }),
].map((one) => one.start());

afterAll(async () => {
  const stopped = Promise.all([worker.stop(), ...running.map((one) => one.stop())]);
  await clock.advance(15_000);
  await stopped;
  engine.close();
  rmSync(folder, { recursive: true });
});

/** What two hours store: three events with a delivery each, four answers, the bytes of a submission; and one a day, an endpoint that is deleted. */
async function step(n: number): Promise<void> {
  const events = [0, 1, 2].map((k): PublicEvent => {
    const data = { id: `cust_${n}`, name: 'x'.repeat(400) };
    return { ...customerCreated, id: `evt_${ids.next()}`, subject: `cust_${n}_${k}`, time: iso(clock.now()), sequence: 1, data };
  });
  await fanOut.on(events, { topic: topics.customer, positions: events.map((_, k) => ({ part: '0', at: BigInt(3 * n + k) })) });
  for (let k = 0; k < 4; k += 1) {
    const begun = await answers.begin({ scope: 'test.acct_1', key: `${n}-${k}`, fingerprint: 'f', command: ids.next() });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const kept = { status: 201, headers: {}, body: JSON.stringify({ id: `${n}`, text: 'y'.repeat(700) }) };
    await answers.keep(begun.claim, kept, { account: 'acct_1', subject: null, secret: 'none' });
  }
  if (n % STEPS_OF_A_DAY === 0) {
    const _id = `we_${ids.next()}`;
    const deleted = { deleted: true, deleted_at: iso(clock.now()), place: _id };
    await context.endpoints.insert({ ...shopEndpoint(), ...deleted, _id, secret: ring.encrypt('whsec_AAAA') });
  }
  const at = iso(clock.now());
  const message = { id: toUuid(ids.next()), method: 'POST' as const, url: 'https://authority.example', headers: {}, body: 'z'.repeat(900) };
  const of = { document_id: `inv_${n}`, message: { ...message, kind: 'submit' as const } as never, at };
  await keepSent(wireLog, of);
  await keepReceived(wireLog, of, { status: 200 }, Buffer.from('ok'));
  await clock.advance(2 * HOUR, () => settleTurns(20));
}

const figure = (sql: string): number => engine.sql(sql).get()?.['n'] as number;
async function measured() {
  const count = (collection: Pick<Collection<Doc>, 'count'>): Promise<number> => collection.count({});
  return {
    ...{ events: await count(context.events), deliveries: await count(context.deliveries), answers: await count(keys) },
    wireLog: await count(wireLog),
    /** Of the file, less those of the wire log. */
    pages:
      figure('SELECT page_count AS n FROM pragma_page_count') -
      figure(`SELECT sum(pageno IS NOT NULL) AS n FROM dbstat WHERE name LIKE '%wire_log%'`),
    ...{ handled: await count(context.handled), endpoints: await count(context.endpoints) },
  };
}

test('three months of webhooks, answers and submissions: the third adds nothing but to the wire log', async () => {
  await context.endpoints.insert({ ...shopEndpoint(), secret: ring.encrypt('whsec_AAAA') });
  const months: Awaited<ReturnType<typeof measured>>[] = [];
  for (let n = 0; n < 3 * STEPS; n += 1) {
    await step(n);
    if ((n + 1) % STEPS === 0) months.push(await measured());
  }
  const [, second, third] = months as [(typeof months)[0], (typeof months)[0], (typeof months)[0]];
  expect(sent).toBeGreaterThan(3 * STEPS * 3);
  // The 30 days, and the hour that they stay longer.
  expect(second.events).toBeGreaterThanOrEqual(STEPS * 3);
  expect(second.events).toBeLessThanOrEqual(STEPS * 3 + 10);
  const grown = { ...third, wireLog: third.wireLog - second.wireLog, pages: Math.max(third.pages, second.pages * 1.01) };
  expect(grown).toEqual({ ...second, wireLog: STEPS * 2, pages: second.pages * 1.01 });
  expect(clock.now()).toBeGreaterThan(90 * DAY);
}, 240_000);
