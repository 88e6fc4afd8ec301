import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { createIds, DomainError, prefixed, systemClock as clock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { createProducts, type Products } from './products.ts';

const REPLICAS = 3;
const ROUNDS = 20;
const tenant = { account: 'acct_01jh2k3m4n5p6q7r8s9t0v1w2x', env: 'test' as const };
const ids = createIds(clock);
const at = new Date(clock.now()).toISOString();

const { EVENT_STORE_URL: url = '' } = process.env;
const events = openEventStoreDb({
  url,
  namespace: `skus${clock.now().toString(36)}`,
  clock,
  logger: createLogger({ level: 'silent', service: 'test' }),
});
afterAll(() => events.close());

/** Each with a memory of its own. */
const replicas = Array.from({ length: REPLICAS }, () => createProducts({ store: events.store, ids, clock }));

async function run(products: Products, id: string, command: Parameters<Products['handle']>[1]): Promise<string> {
  try {
    await products.handle({ ...tenant, id }, command, { ...tenant, command_id: ids.next() });
    return 'done';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

test('EventStoreDB: of many creations with one SKU at several replicas one succeeds, and after its deletion one again', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const sku = `SKU-${round}`;
    for (let again = 0; again < 2; again += 1) {
      const made = Array.from({ length: 4 * REPLICAS }, () => prefixed('prod', ids.next()));
      const body = { name: 'x', sku };
      const results = await Promise.all(
        made.map((id, n) => run(replicas[n % REPLICAS] as Products, id, () => ({ type: 'create', at, id, livemode: false, body }))),
      );
      expect(results.toSorted()).toEqual(['done', ...Array<string>(made.length - 1).fill('validation_error')]);
      const winner = made[results.indexOf('done')] as string;
      expect(await run(replicas[round % REPLICAS] as Products, winner, () => ({ type: 'delete', at }))).toBe('done');
    }
  }
});
