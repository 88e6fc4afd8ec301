import { client, startSystem } from '@svc/testkit';
import { HUGE } from './testing/accounts.ts';
import { everything, sleep, withRetries } from './testing/retrying-client.ts';

interface Receipt {
  id: string;
  created_at: string;
}

/** As the reference advises: what is newer than 5 seconds before the newest is asked for again, and what is known is omitted. */
const OVERLAP_MS = 5_000;
const KILLS = 2;
const AT_ONCE = 8;
const ABANDONED = 60;

test('whoever polls receipts by created_from misses none while kill -9 stops the program between numbers and receipts', async () => {
  let system = await startSystem();
  const { body: account } = await client(`${system.ops}/admin`, system.setup.admin_token)<{ test_key: string }>('POST', '/accounts', {
    body: { name: 'Tills', plan: 'enterprise', limits: HUGE },
  });
  const call = client(`${system.url}/v1`, account.test_key);
  const seen = new Set<string>();
  let newest: string | undefined;
  async function poll(): Promise<void> {
    const from: Record<string, string> =
      newest === undefined ? {} : { created_from: new Date(Date.parse(newest) - OVERLAP_MS).toISOString() };
    for (const { id, created_at } of await everything<Receipt>(call, '/receipts', { sort: 'created_at', ...from })) {
      seen.add(id);
      if (newest === undefined || created_at > newest) newest = created_at;
    }
  }

  let over = false;
  const made: string[] = [];
  const body = { items: [{ description: 'Coffee', unit_price: 3 }], payment_method: 'cash' };
  const tills = Array.from({ length: AT_ONCE }, async (_, till) => {
    for (let n = 0; !over; n += 1) {
      made.push((await withRetries([call], '/receipts', body, `till-${till}-${n}`)).id);
      await sleep(50); // More receipts make the test slower, not stronger.
    }
  });
  const polling = (async () => {
    while (!over) await poll().catch(() => sleep(100)); // The program is being started again.
  })();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(700 + 400 * kill);
    // Tills that never ask again: what they began is finished after the start, by the service itself.
    for (let n = 0; n < ABANDONED; n += 1) call('POST', '/receipts', { body }).catch(() => undefined);
    await sleep(5 + 10 * kill);
    await system.kill('SIGKILL');
    // Longer than the overlap: what was numbered before would be older than what the poller asks for.
    await sleep(OVERLAP_MS + 1_000);
    system = await system.restart();
    await sleep(8_000);
  }
  over = true;
  await Promise.all([...tills, polling]);
  await poll();
  expect(made.length).toBeGreaterThan(KILLS * AT_ONCE);
  const all = await everything<Receipt>(call, '/receipts', { sort: 'created_at' });
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
  expect(all.filter(({ id }) => !seen.has(id))).toEqual([]);
  await system.stop();
}, 240_000);
