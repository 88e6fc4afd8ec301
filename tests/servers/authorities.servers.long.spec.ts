import { client, type Processes, startProcesses } from '@svc/testkit';
import { seededRandom } from '@svc/testkit/simulation/random';
import { HUGE } from '../e2e/testing/accounts.ts';
import * as shops from '../authorities/testing/shop.ts';
import { openAccountOf } from './testing/account.ts';
import { wrongOnTheWire } from './testing/late-on-the-wire.ts';
import { allowTimesAhead, SetClocks, sleep } from './testing/set-clocks.ts';

const { expectOneEach, line, nationalAuthorities, receipt, shopOf, submit, untilFiscal, untilStatus } = shops;

const faults: Record<shops.AuthorityId, string[]> = {
  'al-cis': [
    'lost_request',
    'lost_reply',
    'error_after_accept',
    'unavailable:3',
    'truncated',
    'bad_signature',
    'wrong_request_id',
    'server_900',
  ],
  'es-verifactu': [
    ...['lost_request', 'lost_reply', 'error_after_accept', 'unavailable:2', 'truncated', 'fault_server', 'fault_client:4103'],
    ...['wait:70', 'wait:90', 'wait:120'],
  ],
  'me-efi': ['lost_request', 'lost_reply', 'unavailable:3', 'wrong_signer', 'server_900:stored'],
};
const DOCUMENTS = 16;
const FAULTS = 5;
const KILLS = 2;
const SEEDS = [1, 2];
const [WRONG_MS, WRONG_FOR_MS, DAY_MS] = [300_000, 3_000, 86_400_000];
/** Documents that are issued during the day without the authority, and how long it lasts by the machine's own clock. */
const [WAITING, AWAY_FOR_MS] = [4, 3_000];
/** What a killed replica has claimed is free after 15 s, and the next one may be killed too. */
const SETTLED_MS = 150_000;

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

/** Issues documents of both kinds, one after the other. */
const issuing = (shop: shops.Shop, count: number): (() => Promise<shops.Document>)[] =>
  Array.from(
    { length: count },
    (_, n) => async () => (n % 2 ? receipt(shop) : (await submit(shop, { items: [line({ quantity: 2 })] })).body),
  );

describe.each(nationalAuthorities)('%s, by two replicas of fiscal-submission', (authority) => {
  test.each(SEEDS)(
    'each document is registered once, no number is missing, no chain is broken and every late mark is right, after faults, kills, a wrong clock and a day without the authority, of seed %i',
    async (seed) => {
      const random = seededRandom(`${authority} ${seed}`);
      const { test_key } = await openAccountOf(system, `${authority} ${seed}`, HUGE);
      const shop = await shopOf(client(`${String(system.gateways[0])}/v1`, test_key), authority);
      const kills: number[] = [];
      const script = (fault: string, times = 1) =>
        client(system.simulator)('POST', '/faults', { body: { authority, tax_id: shop.tax_id, fault, times } });
      const kill = () => {
        kills.push(clocks.now());
        return random.pick(system.replicasOf('fiscal-submission')).kill('SIGKILL');
      };
      const steps: (() => Promise<unknown>)[] = [
        ...issuing(shop, DOCUMENTS),
        ...Array.from({ length: FAULTS }, () => () => script(random.pick(faults[authority]))),
        ...Array.from({ length: KILLS }, () => () => kill()),
        () => clocks.setWrong(random.pick([WRONG_MS, -WRONG_MS]), WRONG_FOR_MS),
      ];
      const order = new Map(steps.map((step) => [step, random.next()]));
      steps.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
      const made: Promise<unknown>[] = [];
      for (const step of steps) {
        made.push(step());
        await sleep(random.between(0, 400));
      }
      const documents = (await Promise.all(made)).filter(
        (one): one is shops.Document => typeof (one as shops.Document)?.number === 'string',
      );
      expect(documents).toHaveLength(DOCUMENTS);

      await script('unavailable:10000');
      const waiting = issuing(shop, WAITING).map((issue) => issue());
      await sleep(AWAY_FOR_MS);
      await kill();
      // What states a time that is ahead waits for it, too.
      await clocks.pass(DAY_MS, system.simulator);
      await client(system.simulator)('DELETE', '/faults');
      documents.push(...(await Promise.all(waiting)));

      const ends = await Promise.all(documents.map((document) => untilFiscal(shop, document, 'registered', SETTLED_MS)));
      await expectOneEach(system, shop, ends);
      const numbers = ends.map(({ number }) => String(number));
      expect(await wrongOnTheWire(system, shop, numbers, { clocks, kills })).toEqual([]);
      await shops.expectLateAsSent(system, shop, ends);
      if (authority === 'es-verifactu') {
        const [wrong] = ends as [shops.Document];
        await shop.call('POST', `${shops.pathOf(wrong)}/void`, { body: { reason: 'Never reached the customer' } });
        await kill();
        await untilStatus(shop, wrong, 'voided');
        await expectOneEach(system, shop, ends);
      }
      for (const replica of system.replicasOf('fiscal-submission')) expect(replica.crashes()).toEqual([]);
    },
  );
});
