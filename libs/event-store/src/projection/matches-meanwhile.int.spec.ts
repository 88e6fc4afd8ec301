import { embeddedDocumentStore } from '@svc/document-store';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { createChanges } from './changes.ts';
import { createMatches } from './matches.ts';
import type { Row } from './projection.ts';

interface ThingRow extends Row {
  colour: string;
}
const SIZE = 3;
const tenant = { account: 'acct_a', env: 'test' } as const;

test('what is written while rows are counted is in the next count, whether its block was counted before or after', async () => {
  const fixture = temporaryEngine();
  const rows = embeddedDocumentStore(fixture.engine, 'svc_test').collection<ThingRow>('things_v1', {
    indexes: [{ fields: ['account', 'env', 'ordinal'], unique: true }, { fields: ['account', 'env', 'colour', 'ordinal'] }],
  });
  const changes = createChanges(() => 1, { size: SIZE });
  let version = 0;
  const paint = async (colour: string, ...ordinals: number[]): Promise<void> => {
    version += 1;
    const painted = ordinals.map((ordinal) => ({
      ...tenant,
      _id: `thing_${ordinal}`,
      version,
      ordinal,
      colour,
      created_at: '',
      resource: '',
    }));
    await rows.write(painted.map((put) => ({ put })));
    changes.wrote(painted);
  };
  await paint('red', ...Array.from({ length: 9 }, (_, n) => n + 1));
  const matches = createMatches(rows, changes);
  let isPainted = false;
  await matches(tenant, { colour: 'red' }, async () => {
    if (!isPainted) await paint('blue', 1, 2, 9);
    isPainted = true;
  });
  expect(isPainted).toBe(true);
  expect(await matches(tenant, { colour: 'red' }, async () => undefined)).toMatchObject({ total: 6, blocks: [1, 3, 2] });
  fixture.remove();
});
