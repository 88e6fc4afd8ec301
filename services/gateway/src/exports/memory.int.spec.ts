import { settleTurns } from '@svc/kernel';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { stubDocuments, type StubDocument } from '../testing/stub-documents.ts';

const documents = stubDocuments();
let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start({ documents })));
afterAll(() => edge.stop());
const { owner } = consoleOf(() => edge);

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;
/** Its end has come: the list of those whose end is near has it. */
const fiscal = { status: 'pending', late: true, deadline_at: '2020-01-01T00:00:00.000Z' };
const documentsOf = (prefix: string): StubDocument[] =>
  Array.from({ length: 100 }, (_, n) => ({
    ...{ id: idOf(prefix, n), number: `N-${n}`, type: prefix === 'inv' ? 'standard' : 'receipt', status: 'submitted' },
    ...{ issue_date: '2026-01-05', total: n, updated_at: '2026-01-05T00:00:00.000Z', fiscal },
  }));
const test1 = { livemode: false };

test('Todays and exports of many accounts hold few documents at a time, each of which may have 640 KiB', async () => {
  [documents.invoices, documents.receipts] = [documentsOf('inv'), documentsOf('rcp')];
  const houses = await Promise.all(Array.from({ length: 8 }, () => owner()));
  let [held, most] = [0, 0];
  documents.before = async (_path, size) => {
    held += size;
    most = Math.max(most, held);
    await settleTurns(20);
    held -= size;
  };
  const begun = await Promise.all(
    houses.map(({ self }) => self.call('POST', '/exports', { ...test1, body: { kind: 'jsonl', from: '2026-01-01', to: '2026-01-31' } })),
  );
  expect(begun.map(({ status }) => status)).toEqual(begun.map(() => 201));
  const todays = houses.flatMap(({ self }) => [1, 2, 3].map(() => self.call('GET', '/today', test1)));
  await edge.clock.advance(1_000);
  for (const { status, body } of await Promise.all(todays)) {
    expect(status).toBe(200);
    const late = (body['data'] as { kind: string; count: number }[]).find(({ kind }) => kind === 'late');
    expect(late?.count).toBe(200);
  }
  expect(most).toBeLessThanOrEqual(60);
});
