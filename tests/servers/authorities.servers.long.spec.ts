import { client, type Processes, startProcesses } from '@svc/testkit';
import { seededRandom } from '@svc/testkit/simulation/random';
import { HUGE } from '../e2e/testing/accounts.ts';
import * as shops from '../authorities/testing/shop.ts';
import { openAccountOf } from './testing/account.ts';

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
  'es-verifactu': ['lost_request', 'lost_reply', 'error_after_accept', 'unavailable:2', 'truncated', 'fault_server', 'fault_client:4103'],
  'me-efi': ['lost_request', 'lost_reply', 'unavailable:3', 'wrong_signer', 'server_900:stored'],
};
const DOCUMENTS = 16;
const FAULTS = 5;
const KILLS = 2;
const SEEDS = [1, 2];
/** What a killed replica has claimed is free after 15 s, and the next one may be killed too. */
const SETTLED_MS = 150_000;

let system: Processes;
beforeAll(async () => {
  system = await startProcesses({ replicas: 1, except: { 'fiscal-submission': 2 } });
});
afterAll(() => system?.stop());

describe.each(nationalAuthorities)('%s, by two replicas of fiscal-submission', (authority) => {
  test.each(SEEDS)(
    'each document is registered once, no number is missing and no chain is broken, after faults and kills of seed %i',
    async (seed) => {
      const random = seededRandom(`${authority} ${seed}`);
      const { test_key } = await openAccountOf(system, `${authority} ${seed}`, HUGE);
      const shop = await shopOf(client(`${String(system.gateways[0])}/v1`, test_key), authority);
      const script = () => {
        const fault = random.pick(faults[authority]);
        return client(system.simulator)('POST', '/faults', { body: { authority, tax_id: shop.tax_id, fault } });
      };
      const kill = () => random.pick(system.replicasOf('fiscal-submission')).kill('SIGKILL');
      const steps: (() => Promise<unknown>)[] = [
        ...Array.from(
          { length: DOCUMENTS },
          (_, n) => async () => (n % 2 ? receipt(shop) : (await submit(shop, { items: [line({ quantity: 2 })] })).body),
        ),
        ...Array.from({ length: FAULTS }, () => () => script()),
        ...Array.from({ length: KILLS }, () => () => kill()),
      ];
      const order = new Map(steps.map((step) => [step, random.next()]));
      steps.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
      const made: Promise<unknown>[] = [];
      for (const step of steps) {
        made.push(step());
        await new Promise((resolve) => setTimeout(resolve, random.between(0, 400)));
      }
      const documents = (await Promise.all(made)).filter(
        (one): one is shops.Document => typeof (one as shops.Document)?.number === 'string',
      );
      expect(documents).toHaveLength(DOCUMENTS);
      const ends = await Promise.all(documents.map((document) => untilFiscal(shop, document, 'registered', SETTLED_MS)));
      await expectOneEach(system, shop, ends);
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
