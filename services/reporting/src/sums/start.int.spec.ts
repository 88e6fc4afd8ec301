import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { openLedger } from '../postings/ledger.ts';
import { markBlocks } from '../postings/block.ts';
import { samplePosting } from '../testing/sample-postings.ts';
import { startSums } from './start.ts';

test('a block that cannot be summed holds up no other, and is tried again later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sums-'));
  const engine = Engine.open(folder, { durable: false });
  const clock = new FakeClock(Date.UTC(2026, 0, 20));
  const ledger = openLedger(embeddedDocumentStore(engine, 'svc_reporting'));
  const made = ['acct_1', 'acct_2'].flatMap((account) =>
    [1, 2, 3].map((n) => ({ ...samplePosting(n, { account }), _id: `${account}${n}:0003` })),
  );
  await ledger.postings.write(made.map((insert) => ({ insert })));
  await markBlocks({ ...ledger, clock }, made);
  let fails = true;
  const fold = async (postings: readonly { account: string }[]) => {
    if (fails && postings[0]?.account === 'acct_1') throw new Error('cannot be summed');
    return { sums: { all: String(postings.length) }, recorded: '', stored: 0 };
  };
  const logger = createLogger({ level: 'silent', service: 'test' });
  const jobs = startSums({
    ...ledger,
    clock,
    logger,
    folds: { counted_on: fold, issued_on: fold },
    sizes: { split: 8, least: 1, parts: 40 },
  });
  const summed = async () => {
    const blocks = await Array.fromAsync(ledger.blocks.find({}));
    return blocks.filter((block) => block.summed !== null).map(({ account }) => account);
  };
  const until = async (count: number) => {
    while ((await summed()).length < count) await clock.advance(1_000);
  };
  await until(2);
  expect(new Set(await summed())).toEqual(new Set(['acct_2']));
  fails = false;
  await until(4);
  await jobs.stop();
  engine.close();
  rmSync(folder, { recursive: true });
});
