import { client, eventually, startReceiver, startSystem, type System } from '@svc/testkit';
import { HUGE } from './accounts.ts';
import { documentJobs } from './document-jobs.ts';
import { expectSales } from './documents.ts';
import { readLedger } from './exactly-once.ts';
import { sleep } from './retrying-client.ts';
import { expectEqualBytes, expectWebhooks } from './webhooks.ts';

const PER_SECOND = 10;

interface Load {
  inFlight: () => number;
  /** No request is in flight until the next kill. */
  waits: () => boolean;
  done: () => boolean;
  killed: () => void;
}

/** Repeatedly kills the process group 0.2–3 s after it is ready, with requests in flight, or when the next request waits for the kill. */
async function killRepeatedly(first: System, load: Load): Promise<System> {
  let system = first;
  for (let kills = 0; ; kills += 1) {
    await sleep(200 + ((kills * 0.618_034) % 1) * 2800);
    await eventually(() => load.inFlight() > 0 || load.waits() || load.done(), 'a request in flight');
    if (load.done()) return system;
    await system.kill('SIGKILL');
    load.killed();
    system = await system.restart();
  }
}

export interface Killing {
  /** Number of jobs: of each some documents, their payments and corrections. */
  jobs: number;
  /** Minimum number of kills; the jobs are spread over them. */
  kills: number;
}

/**
 * Issues, pays, corrects and voids documents while the program is killed. Checks that nothing acknowledged is lost or done twice, that each
 * document has one number and one registration, and that every webhook is sent.
 */
export async function documentsUnderKill({ jobs: count, kills: most }: Killing): Promise<void> {
  const receiver = await startReceiver();
  const first = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, WEBHOOKS_RETRY_DELAYS: '1s,2s,5s,10s,20s' });
  const { body: account } = await client(`${first.ops}/admin`, first.setup.admin_token)<{ test_key: string }>('POST', '/accounts', {
    body: { name: 'Kill', plan: 'enterprise', limits: HUGE },
  });
  const call = client(`${first.url}/v1`, account.test_key);
  expect((await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'], description: 'all' } })).status).toBe(
    201,
  );
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const jobs = documentJobs([call], customer.id);

  let waiting = 0;
  let finished = 0;
  let kills = 0;
  const one = async (n: number): Promise<void> => {
    await sleep((n * 1000) / PER_SECOND);
    // Each of the last jobs waits for another kill, however slow the starts are.
    const before = most - (count - n);
    waiting += 1;
    await eventually(() => kills > before, 'a kill', 300_000);
    waiting -= 1;
    await jobs.run(n);
    finished += 1;
  };
  const clients = Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  const load: Load = {
    inFlight: jobs.underWay,
    waits: () => waiting > 0 && waiting + finished === count,
    done: () => finished === count,
    killed: () => void (kills += 1),
  };
  const [system] = await Promise.all([killRepeatedly(first, load), clients]);
  expect(kills).toBeGreaterThanOrEqual(most);

  await eventually(() => jobs.settled().then(() => true), 'all settled', 120_000);
  const made = await jobs.check(await readLedger(system.simulator));
  await eventually(async () => expectSales(call, made).then(() => true), 'the report of all', 60_000);
  await eventually(() => expectWebhooks(receiver.deliveries, made) ?? true, 'every webhook', 120_000);
  expectEqualBytes(receiver.deliveries);
  await system.stop();
  await receiver.close();
}
