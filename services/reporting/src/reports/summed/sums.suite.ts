import type { DocumentStore } from '@svc/document-store';
import { FakeClock, plusDays, soon } from '@svc/kernel';
import { blockIndexes, markBlocks, newBlock } from '../../postings/block.ts';
import type { Ledger } from '../../postings/context.ts';
import { openLedger } from '../../postings/ledger.ts';
import type { Posting } from '../../postings/posting.ts';
import { sumBlock, type Summing } from '../../sums/sum-block.ts';
import { ACCOUNT, customerId } from '../../testing/sample-documents.ts';
import { samplePosting } from '../../testing/sample-postings.ts';
import { takenNumbers, type Limits } from '../numbering/taken-numbers.ts';
import type { Question } from '../report.ts';
import { served, views } from '../served.ts';
import { countedFold } from './counted.ts';
import { issuedFold } from './issued.ts';

const clock = new FakeClock(Date.UTC(2026, 5, 1));
const SIZES = { split: 8, least: 3, parts: 40 };
const PERIOD = { from: '2026-01-01', to: '2026-12-31', as_of: '2026-12-31' };

let ledger: Ledger;
/** The same postings without sums. */
let unsummed: Ledger;

const postingOf = (n: number): Posting =>
  samplePosting(n, {
    issued_on: plusDays('2026-01-10', n % 7),
    customer_id: customerId(n % 3),
    figures: { due_on: '2026-02-01', total: '120', payable: '120' },
  });
/** The number of the same document, of one of two series: a later document of a series has a later number, but for some. */
function numberOf(n: number): Posting {
  const { figures: _, counted_on: _1, ...posting } = postingOf(n);
  const [series, seq] = [`S${n % 2}`, n % 10 === 0 ? n + 12 : n];
  const taken = { series, series_key: `${series}.2026`, seq: 2 * seq + (n % 2), issued_at: posting.recorded_at };
  return { ...posting, ...taken, _id: `${posting.document}:0002`, change: 'numbered', outcome: 'pending' };
}
async function record(...numbers: number[]): Promise<void> {
  const made = numbers.flatMap((n) => [numberOf(n), postingOf(n)]);
  await ledger.postings.write(made.map((insert) => ({ insert })));
  await markBlocks({ ...ledger, clock }, made);
}

const summing = (over: Partial<Summing> = {}): Summing => ({
  ...{ ...ledger, clock, sizes: SIZES, folds: { counted_on: countedFold(views), issued_on: issuedFold(ledger.postings) } },
  ...over,
});
const dueBlocks = () => Array.fromAsync(ledger.blocks.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 } }));
async function sumAll(): Promise<void> {
  for (let due = await dueBlocks(); due.length > 0; due = await dueBlocks())
    for (const block of due) await sumBlock(summing(), block, soon);
}

/** Every report of a ledger, from sums where there are any. */
async function reports(own: Ledger, over: Partial<Question>) {
  const question = {
    account: ACCOUNT,
    env: 'test' as const,
    ...PERIOD,
    known_at: null,
    kind: 'all' as const,
    grouping: undefined,
    cites: false,
  };
  const answers = served.map(async ({ name, run }) => {
    const { rows, totals, certificate } = await run({ ...question, ...over, ledger: own, turn: soon });
    return [name, JSON.stringify([rows.map((row) => row.fields()), totals, certificate])];
  });
  return Promise.all(answers);
}
async function expectEqual(): Promise<void> {
  for (const over of [{}, { known_at: '2026-01-10T09:00:20.000Z' }, { as_of: '2026-01-13' }])
    expect(await reports(ledger, over)).toEqual(await reports(unsummed, over));
}

/** The process ends before a write, of those that it does to blocks and sums. */
function endingAfter(writes: number): Pick<Summing, 'blocks' | 'sums'> {
  let left = writes;
  const ending = <C extends object>(collection: C): C =>
    new Proxy(collection, {
      get(target, name, receiver) {
        const method = Reflect.get(target, name, receiver) as (...args: unknown[]) => unknown;
        if (!['write', 'claim', 'insert'].includes(String(name))) return method;
        return async (...args: unknown[]) => {
          if ((left -= 1) < 0) throw new Error('killed');
          return method.apply(target, args);
        };
      },
    });
  return { blocks: ending(ledger.blocks), sums: ending(ledger.sums) };
}

function paymentOf(first: Posting, n: number): Posting {
  const _id = `${first.document}:${String(n + 4).padStart(4, '0')}`;
  const payment: Posting = { ...first, _id, change: 'paid', paid: '1', day: plusDays('2026-01-11', n) };
  delete payment.counted_on;
  delete payment.figures;
  return payment;
}

/** What an adapter of the document store keeps of sums, whatever ends when. `open`: an empty store. */
export function testSums(open: () => Promise<{ documents: DocumentStore; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
    ledger = openLedger(opened.documents);
    unsummed = { ...ledger, blocks: opened.documents.collection('no_blocks_v1', { indexes: blockIndexes }) };
  });
  afterEach(() => opened.close());

  test.each([0, 1, 2, 3, 4])(
    'after a crash behind %i writes reports are as they were, and the next process ends the work',
    async (writes) => {
      await record(...Array.from({ length: 30 }, (_, n) => n));
      for (const block of await dueBlocks()) {
        const ended = sumBlock(summing(endingAfter(writes)), block, soon);
        await ended.catch((error: Error) => expect(error.message).toBe('killed'));
        await expectEqual();
      }
      await sumAll();
      const blocks = await Array.fromAsync(ledger.blocks.find({}));
      expect(blocks.length).toBeGreaterThan(6);
      expect(blocks.filter(({ summed }) => summed === null)).toEqual([]);
      await expectEqual();
    },
  );

  test('two processes that sum one block, and a posting that comes meanwhile, leave what the postings say', async () => {
    await record(...Array.from({ length: 30 }, (_, n) => n));
    const due = await dueBlocks();
    await Promise.all([...due, ...due].map((block, n) => sumBlock(summing(), block, n % 2 === 0 ? () => record(30 + n) : soon)));
    await expectEqual();
    await sumAll();
    await expectEqual();
  });

  test('a block that is split between the reads of it and of the next one counts once', async () => {
    await record(...Array.from({ length: 10 }, (_, n) => n));
    await sumAll();
    for (const order of ['counted_on', 'issued_on'] as const)
      await ledger.blocks.insert(newBlock({ account: ACCOUNT, env: 'test', order }, '2026-01-12', clock.now()));
    await expectEqual();
  });

  test('a posting counts at once where its block is summed', async () => {
    await record(...Array.from({ length: 10 }, (_, n) => n));
    await sumAll();
    await record(10);
    await expectEqual();
  });

  test('numbers are the same whether they are sorted, merged from blocks or walked', async () => {
    await record(...Array.from({ length: 60 }, (_, n) => n));
    await sumAll();
    const reading = {
      account: ACCOUNT,
      env: 'test' as const,
      ...PERIOD,
      known_at: null,
      kind: 'all' as const,
      grouping: undefined,
      cites: false,
    };
    const numbers = async (limits?: Limits) =>
      (await Array.fromAsync(takenNumbers({ ...reading, ledger, turn: soon }, limits)))
        .flat()
        .map(({ series_key, seq }) => [series_key, seq]);
    const sorted = await numbers();
    expect(sorted).toHaveLength(60);
    expect(await numbers({ few: 0, held: 60, reads: 0 })).toEqual(sorted);
    expect(await numbers({ few: 0, held: 59, reads: 8 })).toEqual(sorted);
    expect(await numbers({ few: 0, held: 59, reads: 0 })).toEqual(sorted);
    expect(await numbers({ few: 0, held: 1, reads: 8 })).toEqual(sorted);
  });

  test('a block ends where the taxes of its documents are too many, and one document may have more', async () => {
    const rates = Array.from({ length: 30 }, (_, n) => `${n}.5`);
    const tax = { category: 'VAT' as const, code: 'S' as const, base: '1', tax: '1', retained: '0', issuer: { base: '1', tax: '1' } };
    const made = Array.from({ length: 6 }, (_, n) => {
      const figures = { taxes: (n === 3 ? [...rates, ...rates.map((rate) => `1${rate}`)] : rates).map((rate) => ({ ...tax, rate })) };
      return [numberOf(n), samplePosting(n, { issued_on: '2026-01-10', figures })];
    }).flat();
    await ledger.postings.write(made.map((insert) => ({ insert })));
    await markBlocks({ ...ledger, clock }, made);
    await sumAll();
    await expectEqual();
    expect(await ledger.blocks.count({ order: 'counted_on' })).toBeGreaterThanOrEqual(3);
  });

  test('a document of as many postings as a block has stays whole', async () => {
    const first = postingOf(1);
    const payments = Array.from({ length: 40 }, (_, n) => paymentOf(first, n));
    await ledger.postings.write(payments.map((insert) => ({ insert })));
    await record(...Array.from({ length: 20 }, (_, n) => n));
    await sumAll();
    await expectEqual();
  });
}
