import { markBlocks } from '../postings/block.ts';
import { startReportingApp } from '../testing/reporting-app.ts';
import { samplePosting } from '../testing/sample-postings.ts';

const HOUR_MS = 3_600_000;

test.each([1, 20 * 24])('a block that waits by a clock that was %d h ahead is summed once it is set back', async (hours) => {
  const app = await startReportingApp();
  const { ledger, clock, passTime } = app;
  const now = clock.now.bind(clock);
  let ahead = hours * HOUR_MS;
  clock.now = () => now() + ahead;
  await passTime(20_000);
  const made = [1, 2, 3].map((n) => samplePosting(n, {}));
  await ledger.postings.write(made.map((insert) => ({ insert })));
  await markBlocks({ ...ledger, clock }, made);
  const waiting = () => ledger.blocks.count({ due_at: { $gte: 0 } });
  expect(await waiting()).toBeGreaterThan(0);
  ahead = 0;
  await passTime(10 * 60_000);
  expect(await waiting()).toBe(0);
  await app.close();
});
