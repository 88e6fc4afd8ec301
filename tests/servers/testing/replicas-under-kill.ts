import { client, eventually, startProcesses, startReceiver, type Call, type Processes } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { documentJobs, type DocumentJobs } from '../../e2e/testing/document-jobs.ts';
import { expectSales, type Documents } from '../../e2e/testing/documents.ts';
import { readLedger } from '../../e2e/testing/exactly-once.ts';
import { random } from '../../e2e/testing/random.ts';
import { sleep } from '../../e2e/testing/retrying-client.ts';
import { expectEqualBytes, expectWebhooks } from '../../e2e/testing/webhooks.ts';
import { openAccountOf } from './account.ts';
import { followEvents } from './event-reader.ts';
import { deadLetters, publishFromTheBeginning, readFacts, relayed, sentEvents, type Facts } from './facts.ts';
import { killPlan } from './kill-plan.ts';
import { logEnds } from './log-crashes.ts';
import { startOwnServers, type OwnServers } from './own-servers.ts';
import { consumeFromTheBeginning, consumption, published } from './queues.ts';
import { restartStuck } from './restart-stuck.ts';

const SEED = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);
const KILL_EVERY_MS = 5000;
/** The rate while servers have faults. */
const SLOWLY = 2;
/** A consumer that has stopped is known after two minutes. */
const DRAINED_WITHIN_MS = 200_000;

export interface Kills {
  /** How many jobs are begun while processes are killed: of each some documents, their payments and corrections. */
  jobs: number;
  perSecond: number;
  /** How many processes each service loses at least. */
  ofEachService: number;
  /** How long Kafka and MongoDB are paused. */
  pausedMs: number;
}

/**
 * Defines the tests of two replicas of each service on servers of their own, while processes are killed and servers are paused and killed:
 * nothing acknowledged is lost or done twice, and each document has one number, one registration and every webhook.
 */
export function testReplicasUnderKill({ jobs: count, perSecond, ofEachService, pausedMs }: Kills): void {
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let servers: OwnServers;
  let system: Processes;
  let calls: Call[];
  let call: Call;
  let jobs: DocumentJobs;
  let webhook: string;
  let first: string;
  let reader: ReturnType<typeof followEvents>;
  beforeAll(async () => {
    console.log(`KILL_SEED=${SEED}`);
    [receiver, servers] = await Promise.all([startReceiver(), startOwnServers()]);
    const env = { WEBHOOKS_ALLOW: receiver.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s,20s' };
    system = await startProcesses({ replicas: 2, servers: servers.addresses, env });
    const { test_key } = await openAccountOf(system, 'Kill', HUGE);
    calls = system.gateways.map((origin) => client(`${origin}/v1`, test_key));
    call = calls[0] as Call;
    const hook = { url: `${receiver.origin}/hook`, events: ['*'], description: 'all' };
    webhook = (await call<{ id: string }>('POST', '/webhooks', { body: hook })).body.id;
    jobs = documentJobs(calls, (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body.id);
    const newest = async () => (await call<{ data: { id: string }[] }>('GET', '/events', { query: { per_page: 1 } })).body.data[0]?.id;
    first = await eventually(newest, 'the first event');
    reader = followEvents(calls, first);
  });
  afterAll(async () => {
    await system?.discard();
    await servers?.stop();
    await receiver?.close();
  });

  /** Jobs under way. The key of a request that a killed gateway had in hand is free after five seconds: other faults happen meanwhile. */
  const begun: Promise<void>[] = [];
  function begin(more: number, rate: number): void {
    const first = begun.length;
    for (let n = 0; n < more; n += 1) {
      const job = sleep((n * 1000) / rate).then(() => jobs.run(first + n));
      job.catch(() => undefined); // It fails the test that waits for it.
      begun.push(job);
    }
  }
  const allReady = async (): Promise<void> => void (await Promise.all(system.replicas.map((replica) => replica.ready())));

  test(`issues, pays, corrects and voids documents in ${count} jobs, ${perSecond} a second, while a process is killed every ${KILL_EVERY_MS / 1000} s`, async () => {
    const chance = random(SEED);
    const services = [...new Set(system.replicas.map(({ service }) => service))];
    const plan = killPlan(services, { kills: (count / perSecond) * (1000 / KILL_EVERY_MS), ofEach: ofEachService }, chance);
    begin(count, perSecond);
    for (const service of plan) {
      await sleep(KILL_EVERY_MS);
      const running = await eventually(() => {
        const found = system.replicasOf(service).filter((replica) => replica.running());
        return found.length > 0 ? found : undefined;
      }, `a running process of ${service}`);
      const { code, signal } = await chance.pick(running).kill('SIGKILL');
      expect([service, code, signal]).toEqual([service, null, 'SIGKILL']);
    }
    await allReady();
  }, 300_000);

  test('survives a kill and restart of all processes at once', async () => {
    begin(5 * SLOWLY, SLOWLY);
    await sleep(1000);
    await system.stopAll('SIGKILL');
    await system.startAll();
  });

  test.each(['kafka', 'mongo'] as const)(
    `survives ${pausedMs / 1000} s of a paused %s`,
    async (name) => {
      await servers[name].pause();
      begin((pausedMs / 1000) * SLOWLY, SLOWLY);
      await sleep(pausedMs);
      await servers[name].resume();
      await allReady();
    },
    240_000,
  );

  test.each(['kafka', 'mongo', 'eventStore'] as const)(
    'survives a kill and restart of %s',
    async (name) => {
      begin(5 * SLOWLY, SLOWLY);
      await sleep(1000);
      await servers[name].kill9();
      await servers[name].start();
      await allReady();
    },
    240_000,
  );

  const total = async (path: string, query: Record<string, string> = {}): Promise<number> =>
    (await call<{ meta: { total: number } }>('GET', path, { query: { per_page: 1, ...query } })).body.meta.total;

  /** Waits until all operations are done and all queues are empty. */
  async function drained(): Promise<void> {
    const until = Date.now() + DRAINED_WITHIN_MS;
    const left = (): number => Math.max(1, until - Date.now());
    await eventually(() => jobs.settled().then(() => true), 'all settled', left());
    await eventually(async () => (await total('/events')) === (await sentEvents(system)), 'every event', left());
    await eventually(
      async () => {
        const behind = (await consumption(system.servers)).filter(({ lag }) => lag > 0);
        if (behind.length === 0) return true;
        await restartStuck(system);
        throw new Error(JSON.stringify(behind));
      },
      'all consumed',
      left(),
    ).catch((error: unknown) => {
      logEnds(system);
      throw error;
    });
    await eventually(async () => (await total(`/webhooks/${webhook}/deliveries`, { status: 'pending' })) === 0, 'all delivered', left());
  }

  test('does all jobs in the end', async () => {
    await Promise.all(begun);
    expect(jobs.underWay()).toBe(0);
  }, 360_000);

  let facts: Facts;
  test(`drains all queues within ${DRAINED_WITHIN_MS / 1000} s`, async () => {
    await drained();
    expect(await deadLetters(system)).toEqual([]);
  });

  let made: Documents;
  test('has lost nothing acknowledged and done nothing twice, and each document has one number and one registration', async () => {
    made = await jobs.check(await readLedger(system.simulator));
    await expectSales(call, made);
    facts = await readFacts(system, call, webhook);
    expect(facts.documents).toEqual(made);
  }, 120_000);

  test('has sent every webhook at least once, with the same bytes each time, from one delivery per event', () => {
    expectWebhooks(receiver.deliveries, made);
    expectEqualBytes(receiver.deliveries);
    expect(new Set(receiver.deliveries.map(({ body }) => body.id))).toEqual(new Set(facts.events.map(({ id }) => id)));
    expect(facts.deliveries.map(({ event_id }) => event_id).sort()).toEqual(facts.events.map(({ id }) => id).sort());
    expect(facts.deliveries.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  });

  test('has shown every event once to who follows', async () => {
    await reader.stop();
    expect(reader.seen.toSorted()).toEqual(
      facts.events
        .map(({ id }) => id)
        .filter((id) => id !== first)
        .toSorted(),
    );
  });

  test('changes nothing when every event is published and consumed again', async () => {
    const [before, deliveries] = [await published(system.servers), receiver.deliveries.length];
    await system.stopAll();
    const positions = await relayed(system);
    expect(positions.size).toBe(2);
    await publishFromTheBeginning(system);
    await consumeFromTheBeginning(system.servers);
    await system.startAll();
    await eventually(
      async () => {
        const now = await relayed(system);
        return [...positions].every(([name, position]) => (now.get(name) ?? 0n) >= position);
      },
      'everything published again',
      120_000,
    );
    expect(await published(system.servers)).toBeGreaterThanOrEqual(before + facts.events.length + 2 * facts.ledger.length);
    await drained();
    expect(await readFacts(system, call, webhook)).toEqual(facts);
    expect(await deadLetters(system)).toEqual([]);
    expect(receiver.deliveries).toHaveLength(deliveries);
  }, 400_000);
}
