import { topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import { publicationsFrom } from '@svc/event-bus/publishing/publication';
import { streamOf } from '@svc/kernel';
import { createLogger, Health, startOps, type Ops } from '@svc/service';
import { admin } from '@svc/service/admin/run-admin';
import { publishers } from '../registrations.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';
import { documentCommands } from './admin-commands.ts';
import { documentRoutes } from './admin-routes.ts';

const TOKEN = 'operators-token-of-thirty-two-characters';
const folder = dataFolder();
const system = openSystem(folder.path);
let published: { topic: string; event: PublicEvent }[];
let ops: Ops;
beforeAll(async () => {
  const publish = async (topic: string, events: PublicEvent[]): Promise<void> =>
    void published.push(...events.map((event) => ({ topic, event })));
  const routes = documentRoutes({ store: system.store, restored: undefined }, { publish }, TOKEN);
  const logger = createLogger({ level: 'silent', service: 'test' });
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin: routes });
  process.env['OPS_PORT'] = String(ops.port);
});
beforeEach(() => (published = []));
afterAll(async () => {
  await ops.close();
  system.engine.close();
  folder.remove();
});

const svc = (account: string, id: string, livemode = 'false') =>
  admin(documentCommands, ['admin', 'republish', '--account', account, '--livemode', livemode, '--id', id]);

test('svc admin republish publishes a document on the history as it was published, in its order, and nothing of others', async () => {
  await expect(svc('acct_1', 'inv_1')).rejects.toThrow('OPS_TOKEN');
  process.env['OPS_TOKEN'] = TOKEN;
  const shop = await openShop(system);
  const { id } = await shop.invoice();
  const receipt = await shop.receipt();
  for (const [category, document] of [['invoice', id] as const, ['receipt', receipt.id] as const]) {
    published = [];
    const stored = await system.store.read(streamOf(category, 'test', shop.account, document));
    const all = await Promise.all(stored.map((one) => publicationsFrom({ source: 'invoicing', store: system.store, publishers }).of(one)));
    const expected = all.flatMap(({ events }) => events.filter(({ event }) => event.entry).map(({ event }) => event));
    expect(expected.length).toBeGreaterThan(0);
    expect(await svc(shop.account, document)).toEqual({ published: expected.length, failed: 0 });
    expect(published).toEqual(expected.map((event) => ({ topic: topics.history satisfies Topic, event })));
  }
});

test('a document of another account or environment is not found', async () => {
  const { account, draft } = await openShop(system);
  const id = await draft();
  await expect(svc('acct_1', id)).rejects.toThrow('no document');
  await expect(svc(account, id, 'true')).rejects.toThrow('no document');
  expect(published).toEqual([]);
});
