import { startReportingApp } from '../testing/reporting-app.ts';
import { ACCOUNT, invoiceId, sampleFact } from '../testing/sample-documents.ts';
import { countedIn, type Selection } from './counted.ts';

const january: Selection = { account: ACCOUNT, env: 'test', from: '2026-01-01', to: '2026-01-31', kind: 'all' };

test('counts each of thousands of facts once, in the order of days, a bounded number per turn', async () => {
  const app = await startReportingApp();
  const many = Array.from({ length: 2_500 }, (_, n) => sampleFact(n, { issued_on: `2026-01-${String(28 - (n % 28)).padStart(2, '0')}` }));
  const others = [
    sampleFact(9_001, { issued_on: '2026-02-01' }),
    sampleFact(9_002, { account: 'acct_other' }),
    sampleFact(9_003, { env: 'live' }),
  ];
  await app.facts.write([...many, ...others].map((put) => ({ put })));
  await app.facts.write([{ put: sampleFact(7, { ...many[7], version: 4, voided_on: '2026-01-31' }) }]);

  const turns: number[] = [];
  const counted = await Array.fromAsync(countedIn(app.facts, january, async (bytes) => void turns.push(bytes)));

  const issues = counted.filter(({ documents }) => documents === 1);
  expect(new Set(issues.map(({ fact }) => fact._id)).size).toBe(2_500);
  expect(issues).toHaveLength(2_500);
  expect(issues.map(({ day }) => day)).toEqual(issues.map(({ day }) => day).sort());
  expect(counted.slice(2_500)).toMatchObject([{ fact: { _id: invoiceId(7) }, day: '2026-01-31', documents: -1, sign: -1 }]);
  expect(turns).toEqual(Array(25).fill(100_000));
  await app.close();
});
