import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { documentDeadLetters, type DeadLetter, EmbeddedBus, type BatchContext } from '@svc/event-bus';
import { eventOf, invoiceEvent } from '@svc/event-bus/event-bus.suite';
import { MAX_EVENT_BYTES } from '@svc/event-bus/envelope';
import { createIds, DomainError, systemClock, UnknownEvent } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createLogger, Health, startOps, type Ops } from '../index.ts';
import { admin } from '../admin/run-admin.ts';
import { deadLetterCommands } from './admin-commands.ts';
import { deadLetterRoutes } from './admin-routes.ts';

const TOKEN = 'operators-token-of-thirty-two-characters';
const folder = mkdtempSync(join(tmpdir(), 'dead-letters-'));
const engine = Engine.open(folder, { durable: false });
const logger = createLogger({ level: 'silent', service: 'test' });
const shared = { source: 'things', clock: systemClock, ids: createIds(systemClock) };
const quick = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
let bus: EmbeddedBus;
let ops: Ops;
/** The error with which a group fails to handle an event; undefined: none. */
let fails: (event: PublicEvent) => Error | undefined;
let auditFails: () => Error | undefined;
let handled: string[];
let positions: BatchContext['positions'];
/** What the audit has got. */
let audited: PublicEvent[];

beforeEach(async () => {
  fails = () => undefined;
  auditFails = () => undefined;
  handled = [];
  audited = [];
  const documents = embeddedDocumentStore(engine, `db${Math.floor(Math.random() * 1e9)}`);
  bus = new EmbeddedBus({ clock: quick, logger, deadLetters: documentDeadLetters(documents), head: async () => 0n });
  const take = (group: string) => async (events: PublicEvent[], context: BatchContext) => {
    positions = context.positions;
    for (const event of events) {
      const error = fails(event);
      if (error) throw error;
      handled.push(`${group} ${event.id}`);
    }
  };
  for (const group of ['reporting', 'webhooks']) bus.addHandler({ group, topic: topics.invoice }, take(group) as never, true);
  const audit = async (events: PublicEvent[]) => {
    const error = auditFails();
    if (error) throw error;
    audited.push(...events);
  };
  bus.addHandler({ group: 'audit', topic: topics.setting }, audit as never, true);
  bus.deadLetters.add('invoicing.publishing', { again: async () => undefined, knows: () => true });
  bus.listen(() => undefined);
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin: deadLetterRoutes({ bus, ...shared }, TOKEN) });
});
afterEach(async () => {
  await ops.close();
  await bus.close();
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

async function call(method: string, path = '', body?: object, token: string | undefined = TOKEN, on = ops) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`http://127.0.0.1:${on.port}/admin/dead-letters${path}`, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> & { data: Record<string, unknown>[] } };
}
const publish = (...events: PublicEvent[]): Promise<void> => bus.publish(topics.invoice, events);
const ids = ({ body }: Awaited<ReturnType<typeof call>>): unknown[] => body.data.map(({ id }) => id);

describe('/admin/dead-letters', () => {
  test('needs its own token, and is not served without one', async () => {
    for (const token of ['', 'nobody', `${TOKEN}x`])
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/redrive'],
        ['DELETE', '?group=reporting'],
      ] as const)
        expect((await call(method, path, undefined, token)).status).toBe(401);
    const closed = await startOps({
      host: '127.0.0.1',
      port: 0,
      health: new Health(),
      logger,
      admin: deadLetterRoutes({ bus, ...shared }, undefined),
    });
    const { status, body } = await call('GET', '', undefined, 'undefined', closed).finally(() => closed.close());
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('OPS_TOKEN')]);
  });

  test('lists those of all groups in bounded pages, by group, type, subject and reason; by id with the event', async () => {
    fails = ({ subject }) =>
      subject === 'b'
        ? new UnknownEvent({ stream: 'invoice-test.acct_1.b', type: 'InvoiceMerged', metadata: { v: 1 } })
        : new Error('never');
    await publish(invoiceEvent('a', 1), invoiceEvent('b', 1), invoiceEvent('a', 2, { type: 'invoicing.invoice-voided.v1' }));
    await publish(eventOf(MAX_EVENT_BYTES + 1, 'c', 1));
    const everything = await call('GET');
    expect(everything.body.data).toHaveLength(7);
    expect(everything.body.data.find(({ group }) => group === 'invoicing.publishing')).toMatchObject({ reason: 'refused', subject: 'c' });
    expect(JSON.stringify(everything.body)).not.toContain('xxxx');
    const pages: unknown[] = [];
    let [after, calls]: [string | null, number] = ['', 0];
    for (; after !== null && calls < 9; calls += 1) {
      const page = await call('GET', `?limit=2${after && `&after=${encodeURIComponent(after)}`}`);
      expect(page.body.data.length).toBeLessThanOrEqual(2);
      pages.push(...ids(page));
      after = page.body['next'] as unknown as string | null;
    }
    expect([pages, calls]).toEqual([ids(everything), 4]);
    expect(ids(await call('GET', '?group=reporting'))).toEqual(['reporting:evt_a_1', 'reporting:evt_a_2', 'reporting:evt_b_1']);
    expect(ids(await call('GET', '?type=invoicing.invoice-voided.v1'))).toEqual(['reporting:evt_a_2', 'webhooks:evt_a_2']);
    expect(ids(await call('GET', '?subject=b&reason=unknown_type'))).toEqual(['reporting:evt_b_1', 'webhooks:evt_b_1']);
    expect((await call('GET', '/reporting:evt_a_1')).body).toMatchObject({ event: invoiceEvent('a', 1), error: 'never' });
    expect((await call('GET', '/reporting:evt_z_1')).status).toBe(404);
    for (const wrong of ['?limit=0', '?limit=101', '?reason=bad', '?colour=red']) expect((await call('GET', wrong)).status).toBe(422);
  });

  test('redrives those of a group through its handler, each subject in order; a failed one stays with all behind it; the response counts both', async () => {
    fails = () => new Error('never');
    await publish(invoiceEvent('a', 2), invoiceEvent('a', 1), invoiceEvent('b', 1), invoiceEvent('b', 2), invoiceEvent('b', 3));
    fails = ({ id }) => (id === 'evt_b_2' ? new Error('still not') : undefined);
    expect((await call('POST', '/redrive', { group: 'reporting' })).body).toEqual({ redriven: 3, failed: 1, left: 1 });
    expect(handled).toEqual(['reporting evt_a_1', 'reporting evt_a_2', 'reporting evt_b_1']);
    expect((await call('GET', '?group=reporting')).body.data).toMatchObject([
      { subject: 'b', error: 'still not' },
      { subject: 'b', error: 'never' },
    ]);
    fails = () => undefined;
    expect((await call('POST', '/redrive', { group: 'webhooks', subject: 'a' })).body).toEqual({ redriven: 2, failed: 0, left: 0 });
    expect((await call('POST', '/redrive', { group: 'reporting', type: invoiceEvent('b', 2).type })).body).toMatchObject({ redriven: 2 });
    expect((await call('POST', '/redrive', { group: 'nobody' })).status).toBe(404);
    expect((await call('POST', '/redrive', {})).status).toBe(422);
  });

  test('an event that the bus rejected can be published again, and stays while the bus rejects it', async () => {
    const large = eventOf(MAX_EVENT_BYTES + 1, 'c', 1);
    await bus.publish(topics.invoice, [invoiceEvent('d', 1), large, invoiceEvent('d', 2)], [3n, 4n, 5n]);
    expect(positions.map((position) => position?.at)).toEqual([3n, 5n]);
    handled.length = 0;
    expect((await call('POST', '/redrive', { group: 'invoicing.publishing' })).body).toEqual({ redriven: 0, failed: 1, left: 0 });
    expect(handled).toEqual([]);
    const deadLetters = bus.deadLetters.of('invoicing.publishing');
    const [{ _id, version }] = (await Array.fromAsync(deadLetters.find({}))) as [DeadLetter];
    await deadLetters.claim({ _id, version }, { set: { event: invoiceEvent('c', 1) } }); // as if the limit had been raised
    expect((await call('POST', '/redrive', { group: 'invoicing.publishing' })).body).toEqual({ redriven: 1, failed: 0, left: 0 });
    expect(handled).toEqual(['reporting evt_c_1', 'webhooks evt_c_1']);
    expect(positions).toEqual([{ part: 'store', at: 4n }]);
  });

  test('drops by group, type, subject and reason; those that waited behind continue', async () => {
    let isOld = true;
    fails = ({ id }) => (id === 'evt_a_1' && isOld ? new UnknownEvent({ stream: 'x', type: 'Y', metadata: { v: 1 } }) : undefined);
    await publish(invoiceEvent('a', 1), invoiceEvent('a', 2), invoiceEvent('b', 1));
    expect(handled.filter((line) => line.startsWith('reporting'))).toEqual(['reporting evt_b_1']);
    expect((await call('DELETE', '?group=reporting&subject=b')).body).toEqual({ dropped: 0, left: 0 });
    expect((await call('DELETE', `?group=reporting&id=${encodeURIComponent('reporting:evt_a_1')}`)).body).toEqual({ dropped: 1, left: 0 });
    await until(() => handled.includes('reporting evt_a_2'));
    isOld = false;
    expect((await call('DELETE', '?group=webhooks&reason=unknown_type')).body).toEqual({ dropped: 2, left: 0 });
    expect((await call('DELETE')).status).toBe(422);
    expect((await call('GET')).body.data).toEqual([]);
  });
});

describe('the audit of dropped dead letters', () => {
  const of = (account: string, subject: string): PublicEvent => invoiceEvent(subject, 1, { account });
  beforeEach(() => {
    fails = () => new Error('never');
    return publish(of('acct_1', 'a'), of('acct_1', 'b'), of('acct_2', 'c'), of('nobody', 'd'));
  });

  test('each account gets how many of its an operator drops of a group; what is redriven has no entry', async () => {
    expect((await call('POST', '/redrive', { group: 'webhooks', subject: 'a' })).body).toMatchObject({ failed: 1 });
    expect(audited).toEqual([]);
    expect((await call('DELETE', '?group=reporting')).body).toEqual({ dropped: 4, left: 0 });
    const entry = (account: string, count: number) => ({
      ...{ account, env: 'test', subject: account, source: 'things', type: 'audit.setting-changed.v1' },
      data: {
        ...{ action: 'dead_letters.dropped', actor: { type: 'operator', id: 'operator' } },
        target: { type: 'dead_letters', id: null, name: 'reporting' },
        changes: { count: { from: null, to: count } },
      },
    });
    expect(audited).toMatchObject([entry('acct_1', 2), entry('acct_2', 1)]);
  });

  const dropBy = async (context: Parameters<typeof deadLetterRoutes>[0]) => {
    const other = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin: deadLetterRoutes(context, TOKEN) });
    return call('DELETE', '?group=reporting', undefined, TOKEN, other).finally(() => other.close());
  };

  test('nothing is dropped where the bus does not take the entry', async () => {
    const closed = { deadLetters: bus.deadLetters, publish: () => Promise.reject(new Error('no broker answers')) };
    const { status, body } = await dropBy({ ...shared, bus: closed });
    expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('no broker answers')]);
    expect(ids(await call('GET', '?group=reporting'))).toHaveLength(4);
  });

  test('is not dropped with what it counts where it waits in the same group itself', async () => {
    auditFails = () => new UnknownEvent({ stream: 'x', type: 'Y', metadata: { v: 1 } });
    await bus.publish(topics.setting, [of('acct_1', 'acct_1')]);
    expect((await call('DELETE', '?group=audit')).body).toEqual({ dropped: 1, left: 0 });
    const stored = (await call('GET', '?group=audit')).body.data;
    expect(stored).toMatchObject([{ type: 'audit.setting-changed.v1', subject: 'acct_1', reason: 'unknown_type' }]);
    expect(stored[0]?.['id']).not.toBe('audit:evt_acct_1_1');
  });

  test('has ten seconds; where its handler waits for a server, the answer names how many are dropped and what to do', async () => {
    const [one] = (await Array.fromAsync(bus.deadLetters.of('reporting').find({}, { limit: 1 }))) as [DeadLetter];
    const more = Array.from({ length: 500 }, (_, n) => ({ insert: { ...one, _id: `reporting:evt_more_${n}` } }));
    await bus.deadLetters.of('reporting').write(more);
    auditFails = () => (audited.length > 0 ? new DomainError('service_unavailable', 'no server answers') : undefined);
    const { status, body } = await dropBy({ ...shared, bus, clock: { ...quick, sleep: (ms, signal) => quick.sleep(ms * 10, signal) } });
    expect([status, JSON.stringify(body)]).toEqual([503, expect.stringMatching(/500 are dropped.*within 10 s.*log.*Repeat the request/)]);
    expect(await bus.deadLetters.of('reporting').count({})).toBe(4);
  });
});

test('svc admin dead-letters lists, shows, redrives and drops, with the token of the process', async () => {
  process.env['OPS_PORT'] = String(ops.port);
  const svc = (...words: string[]) => admin(deadLetterCommands, ['admin', 'dead-letters', ...words]);
  await expect(svc('list')).rejects.toThrow('OPS_TOKEN');
  process.env['OPS_TOKEN'] = TOKEN;
  fails = () => new Error('never');
  await publish(invoiceEvent('a', 1), invoiceEvent('b', 1));
  expect(await svc('list', '--group', 'reporting', '--limit', '1')).toMatchObject({ data: [{ id: 'reporting:evt_a_1' }] });
  expect(await svc('show', '--id', 'reporting:evt_a_1')).toMatchObject({ event: invoiceEvent('a', 1) });
  fails = () => undefined;
  expect(await svc('redrive', '--group', 'reporting', '--subject', 'a')).toEqual({ redriven: 1, failed: 0, left: 0 });
  expect(await svc('drop', '--group', 'reporting', '--reason', 'failed')).toEqual({ dropped: 1, left: 0 });
  await expect(svc('drop')).rejects.toThrow('--group is missing');
});

test('dead letters that wait for a publisher that starts after the bus are handled automatically', async () => {
  const group = 'later.publishing';
  const done: string[] = [];
  const deadLetter = { _id: `${group}:x`, version: 1, group, topic: 'store', subject: null, event: {}, error: 'x', origin: 'x', at: 'x' };
  const found = {
    reason: 'unknown_type',
    event_type: 'Merged',
    event_subject: 'x',
    order: 1,
    line: 'store x',
    position: null,
    held_until: 0,
  } as const;
  await bus.deadLetters.of(group).insert({ ...deadLetter, ...found });
  bus.deadLetters.add(group, { again: async ({ deadLetter }) => void done.push(deadLetter._id), knows: () => true });
  await until(async () => done.length > 0 && (await bus.deadLetters.of(group).count({})) === 0);
  expect(done).toEqual([deadLetter._id]);
});
