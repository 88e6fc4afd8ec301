import { wholeSchedulesOf } from '@svc/fiscal-submission/submission/testing/national-schedules';
import { client, type Processes, startProcesses } from '@svc/testkit';
import { seededRandom } from '@svc/testkit/simulation/random';
import fc from 'fast-check';
import * as shops from '../authorities/testing/shop.ts';
import { HUGE } from '../e2e/testing/accounts.ts';
import { openAccountOf } from './testing/account.ts';
import { wrongOnTheWire } from './testing/late-on-the-wire.ts';
import { ScheduledShop } from './testing/scheduled-shop.ts';
import { allowTimesAhead, SetClocks } from './testing/set-clocks.ts';

const SEEDS = process.env['NATIONAL_SEED'] ? [Number(process.env['NATIONAL_SEED'])] : [1, 2];
const MOST_SEED = 2 ** 31 - 1;
const LONGEST_MS = 15 * 60_000;

let system: Processes;
let clocks: SetClocks;
// Each with processes of its own: their clocks do not go back.
beforeEach(async () => {
  clocks = new SetClocks('fiscal-submission');
  system = await startProcesses({ replicas: 1, except: { 'fiscal-submission': 2 }, envOf: clocks.envOf });
  await allowTimesAhead(system.servers);
});
afterEach(async () => {
  await system?.stop();
  clocks.remove();
});

describe.each(shops.nationalAuthorities)('%s, by two replicas of fiscal-submission', (authority) => {
  test.each(SEEDS)(
    'each document is registered once, none is taken for another one, no number is missing, no chain is broken and every late mark is right, after faults, outages, wrong clocks, certificates that end and deaths of both services, of seed %i',
    async (seed) => {
      const random = seededRandom(`${authority} ${seed}`);
      const [schedule] = fc.sample(wholeSchedulesOf(authority), { seed: random.between(0, MOST_SEED), numRuns: 1 });
      if (!schedule) throw new Error('there is no schedule');
      const { test_key } = await openAccountOf(system, `${authority} ${seed}`, HUGE);
      const shop = await shops.shopOf(client(`${String(system.gateways[0])}/v1`, test_key), authority);
      const run = new ScheduledShop({ system, clocks, shop, random });
      await run.pass(schedule);

      const { documents, kills, deaths } = run;
      const ours = documents.ours.map(({ document }) => document);
      await shops.expectOneEach(system, shop, ours);
      const { missing } = await shops.atAuthority(system, shop);
      expect(missing).toBeLessThanOrEqual(documents.all.length - ours.length);
      const numbers = ours.map(({ number }) => String(number));
      expect(await wrongOnTheWire(system, shop, numbers, { clocks, kills, deaths })).toEqual([]);
      // The row of a cancelled one has the mark of its annulment.
      const registered = documents.ours.filter((one) => !documents.isCancelled(one)).map(({ document }) => document);
      await shops.expectLateAsSent(system, shop, registered);
      for (const replica of system.replicasOf('fiscal-submission')) expect(replica.crashes()).toEqual([]);
      const count = { issued: documents.all.length, ours: ours.length, registered: registered.length, again: documents.again };
      console.info(JSON.stringify({ ...count, kills: kills.length, deaths: deaths.length }));
    },
    LONGEST_MS,
  );
});
