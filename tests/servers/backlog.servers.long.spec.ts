import { client, type Processes, startProcesses } from '@svc/testkit';
import { backlog, expectNoDelay } from '../authorities/testing/backlog.ts';
import * as shops from '../authorities/testing/shop.ts';
import { HUGE } from '../e2e/testing/accounts.ts';
import { openAccountOf } from './testing/account.ts';

let system: Processes;
beforeAll(async () => {
  system = await startProcesses({ replicas: 1, except: { 'fiscal-submission': 2 }, env: { AUTHORITY_PACE: 'live' } });
});
afterAll(() => system?.stop());

const shopOf = async (name: string): Promise<shops.Shop> => {
  const { test_key } = await openAccountOf(system, name, HUGE);
  return shops.shopOf(client(`${String(system.gateways[0])}/v1`, test_key), 'al-cis');
};

test(
  `by two replicas of fiscal-submission: ${backlog.title}`,
  async () => {
    await expectNoDelay(system, { attacker: await shopOf('Attacker'), victim: await shopOf('Victim') });
  },
  backlog.longestMs,
);
