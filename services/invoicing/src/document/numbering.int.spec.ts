import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import type { DocumentContext } from './context.ts';
import { lostSince } from './numbering.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

test('a request that a backup holds is lost, also where another one has been made since it was read', async () => {
  const { account } = callerOf(system);
  const stream = `thing-test.${account}.1`;
  const append = async (revision: bigint | 'none', ...types: string[]): Promise<bigint> => {
    const event = (type: string) => ({ id: system.ids.next(), type, data: {}, metadata: { v: 1, account, env: 'test' as const } });
    await system.store.append(stream, revision, types.map(event));
    return BigInt((await system.store.read(stream)).length - 1);
  };
  const read = await append('none', 'Requested', 'Changed');
  const restored = { until: await system.store.head(), at: 0 } as unknown as NonNullable<DocumentContext['restored']>;
  const now = await append(read, 'Refused', 'Requested', 'Changed');
  const lost = (revision: bigint) => lostSince({ store: system.store, restored }, { stream, revision, types: ['Requested'] });
  expect(await lost(read)).toMatchObject({ details: { series: [expect.stringContaining('restored from a backup')] } });
  expect(await lost(now)).toBeUndefined();
});
