import { createHash } from 'node:crypto';
import type { DocumentStore } from '@svc/document-store';
import { FakeClock, soon } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { Ledger } from '../../postings/context.ts';
import { openLedger } from '../../postings/ledger.ts';
import type { EntryEvent } from '../../postings/posting-of.ts';
import { recordEvents } from '../../postings/record.ts';
import { sumBlock } from '../../sums/sum-block.ts';
import { plainFold } from '../../testing/plain-fold.ts';
import { randomHistory } from '../../testing/random-history.ts';
import { ACCOUNT } from '../../testing/sample-documents.ts';
import { views } from '../served.ts';
import { countedFold } from '../summed/counted.ts';
import { issuedFold } from '../summed/issued.ts';
import { numbering } from './numbering.ts';

const { documents, events, days } = randomHistory(20_261_131, 400);
const clock = new FakeClock(Date.parse(events.at(-1)?.time ?? ''));
const period = { from: days[0], to: days[1], as_of: days[1], kind: 'all' } as const;

/** The hash of the documents themselves: no value of them has a comma. */
const hash = createHash('sha256');
const rows = plainFold(documents).numbering({ ...period, known_at: clock.now() });
for (const row of rows) hash.update(`${Object.values(row).join(',')}\n`);
const expected = hash.digest('hex');

async function certificateOf(ledger: Ledger): Promise<string | undefined> {
  const question = { account: ACCOUNT, env: 'test' as const, ...period, known_at: null, grouping: undefined, cites: false };
  return (await numbering.run({ ...question, ledger, turn: soon })).certificate?.sha256;
}

async function sumAll(ledger: Ledger): Promise<void> {
  const folds = { counted_on: countedFold(views), issued_on: issuedFold(ledger.postings) };
  const summing = { ...ledger, clock, folds, sizes: { split: 8, least: 3, parts: 40 } };
  const due = () => Array.fromAsync(ledger.blocks.find({ due_at: { $gte: 0 } }, { sort: { due_at: 1 } }));
  for (let blocks = await due(); blocks.length > 0; blocks = await due()) for (const block of blocks) await sumBlock(summing, block, soon);
}

const batchesOf = (all: readonly EntryEvent[]): EntryEvent[][] =>
  Array.from({ length: Math.ceil(all.length / 7) }, (_, n) => all.slice(7 * n, 7 * n + 7));

/** The ledger as a process has it that ends before one of its writes. */
function endingAfter(writes: number, ledger: Ledger): Ledger {
  let left = writes;
  const ending = (collection: object): object =>
    new Proxy(collection, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (!['write', 'claim', 'insert'].includes(String(name))) return method;
        return async (...args: unknown[]) => {
          if ((left -= 1) < 0) throw new Error('killed');
          return method.apply(target, args);
        };
      },
    });
  return Object.fromEntries(Object.entries(ledger).map(([name, collection]) => [name, ending(collection as object)])) as unknown as Ledger;
}

/** What the certificate of an adapter of the document store is. `open`: an empty store. */
export function testCertificate(open: () => Promise<{ documents: DocumentStore; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let ledger: Ledger;
  beforeEach(async () => {
    opened = await open();
    ledger = openLedger(opened.documents);
  });
  afterEach(() => opened.close());

  test('the numbers are of three series', () => {
    expect([...new Set(rows.map(({ series_key }) => series_key))]).toEqual(['CN.2026', 'INV.2026', 'RCP.2026']);
    expect(rows.length).toBeGreaterThan(100);
  });

  test('the hash is that of the documents, in whatever order their events come, from postings and from sums', async () => {
    const random = seeded(7);
    const mixed = events.map((event) => ({ event, at: random() })).sort((a, b) => a.at - b.at);
    for (const batch of batchesOf(mixed.map(({ event }) => event))) await recordEvents({ ...ledger, clock }, batch);
    expect(await certificateOf(ledger)).toBe(expected);
    await sumAll(ledger);
    expect(await certificateOf(ledger)).toBe(expected);
  });

  test('the hash is the same where processes were killed between their writes', async () => {
    for (const [n, batch] of batchesOf(events).entries()) {
      const killed = endingAfter(n % 6, ledger);
      await recordEvents({ ...killed, clock }, batch).catch((error: Error) => expect(error.message).toBe('killed'));
      await recordEvents({ ...ledger, clock }, batch);
      if (n % 10 === 9) await sumAll(endingAfter(n % 7, ledger)).catch((error: Error) => expect(error.message).toBe('killed'));
    }
    expect(await certificateOf(ledger)).toBe(expected);
    await sumAll(ledger);
    expect(await certificateOf(ledger)).toBe(expected);
  });
}
