import { type OpenMongo, openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { FakeClock, systemClock } from '@svc/kernel';
import { createLogger, type RunningWork } from '@svc/service';
import { windows } from './limiter.suite.ts';
import type { Charge, Limiter, LimitResult } from './port.ts';
import { createSharedLimiter } from './removal.ts';

const { url, next, drop } = takeNamespaces();
const logger = createLogger({ level: 'silent', service: 'test' });
afterAll(drop);

describe('limits of three replicas on MongoDB', () => {
  let mongos: OpenMongo[];
  let replicas: Limiter[];
  let removals: RunningWork[];
  const open = (clock = systemClock): void => {
    const namespace = next();
    mongos = [1, 2, 3].map(() => openMongo({ url, namespace, logger }));
    replicas = mongos.map((mongo) => createSharedLimiter({ documents: mongo.database('svc_gateway'), clock, logger }));
    removals = replicas.flatMap(({ removal }) => removal?.start() ?? []);
  };
  afterEach(async () => {
    for (const removal of removals) await removal.stop();
    for (const mongo of mongos) await mongo.close();
  });
  const take = (times: number, charge: Charge, scope = 'test.acct_1'): Promise<LimitResult[]> =>
    Promise.all(Array.from({ length: times }, async (_, n) => (replicas[n % 3] as Limiter).take(scope, charge)));
  const admitted = (results: LimitResult[]): number => results.filter((result) => result.admitted).length;

  test('admit together exactly the limit of 500 concurrent charges', async () => {
    open();
    const charge: Charge = { windows: windows(['plan', 137]) };
    const results = await take(500, charge);
    expect(admitted(results)).toBe(137);
    const left = results.filter((result) => result.admitted).map(({ remaining }) => remaining);
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 137 }, (_, n) => n));
    expect(admitted(await take(30, charge))).toBe(0);
  });

  test('are exact for many concurrent accounts, with costs and bursts', async () => {
    open();
    const charge: Charge = { windows: windows(['plan', 40], ['submit', 60, 7]), burst: { size: 20, perMinute: 1, cost: 1 } };
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => take(45, charge, `test.acct_${n}`)));
    expect(all.map(admitted)).toEqual(Array(20).fill(8));
  });

  test('lose no count while idle counters are removed', async () => {
    const clock = new FakeClock();
    open(clock);
    const charge: Charge = { windows: windows(['plan', 50]) };
    for (let minute = 0; minute < 4; minute += 1) {
      let isTaken = false;
      const taking = take(120, charge).finally(() => (isTaken = true));
      // The clock follows real time: on a stopped clock the removal would never run.
      for (; !isTaken; await systemClock.sleep(1)) await clock.advance(1);
      expect(admitted(await taking)).toBe(50);
      await clock.advance(60_000);
    }
  });
});
