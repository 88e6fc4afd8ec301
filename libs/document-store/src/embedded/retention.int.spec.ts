import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { listed } from '../document-store.suite.ts';
import type { Doc, DocumentStore } from '../port.ts';
import { createRetention, type Retention, RETENTION } from '../retention.ts';
import { killedBehind } from '../testing/killed-behind.ts';
import { watched } from '../testing/under-way.ts';
import { reporting, type Visited } from '../testing/visited.ts';
import { embeddedDocumentStore } from './document-store.ts';

interface Entry extends Doc {
  at: number;
  busy: boolean;
  text: string;
}

const MINUTE = 60_000;
let folder: string;
let engine: Engine;
let clock: FakeClock;
const reopen = (): Engine => (engine = Engine.open(folder, { durable: false }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'retention-'));
  clock = new FakeClock();
  reopen();
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const entriesIn = (documents: DocumentStore) => documents.collection<Entry>('entries', { indexes: [{ fields: ['at'] }] });
const stored = (from: Engine = engine): DocumentStore => embeddedDocumentStore(from, 'svc_test');
const fill = (count: number, busy: (n: number) => boolean = () => false): Promise<unknown> =>
  entriesIn(stored()).write(
    Array.from({ length: count }, (_, n) => ({
      insert: { _id: `${clock.now()}-${n}`, version: 1, at: clock.now() - count + n, busy: busy(n), text: `${n} `.repeat(200) },
    })),
  );
/** Of the documents that processes work on. */
let settled: () => Promise<void> = settleTurns;
const seen = (documents: DocumentStore): DocumentStore => {
  const watching = watched(documents);
  ({ settled } = watching);
  return watching.documents;
};
const advance = (ms: number): Promise<void> => clock.advance(ms, () => settled());
/** Keeps entries for an hour, and those that are busy. */
const running = (documents: DocumentStore) => {
  const of: Retention<Entry> = {
    ...{ name: 'entries', collection: entriesIn(documents), field: 'at' },
    keptFrom: (now) => now - 60 * MINUTE,
    removable: (docs) => docs.filter(({ busy }) => !busy),
  };
  return createRetention({ documents, clock, logger: { error: () => undefined }, of: [of] }).start();
};

test('what a killed process had begun goes on in the next one, at whichever write it was killed, before its commit', async () => {
  let kills = 0;
  for (let isOver = false; !isOver; kills += 1) {
    await fill(250, (n) => n % 10 === 0);
    await advance(90 * MINUTE);
    await fill(5);
    const dying = killedBehind(seen(stored()), kills, () => engine.abandon());
    const process = running(dying.documents);
    await advance(2 * MINUTE);
    isOver = !dying.isDead();
    const stopped = process.stop();
    if (isOver) await stopped;
    else {
      stopped.catch(() => undefined); // a killed process shows no metrics
      reopen();
    }
    const next = running(seen(stored()));
    await advance(12 * MINUTE);
    await next.stop();
    const left = await listed(entriesIn(stored()), {});
    expect([kills, left.length, left.filter(({ busy }) => busy).length]).toEqual([kills, 30, 25]);
    await entriesIn(stored()).write(left.map(({ _id }) => ({ delete: _id })));
    await stored()
      .collection(RETENTION)
      .write([{ delete: 'entries' }]);
  }
  expect(kills).toBeGreaterThan(6);
});

test('its space is used again, and the file does not grow', async () => {
  const pages = (): number => engine.sql('PRAGMA page_count').get()?.['page_count'] as number;
  const process = running(seen(stored()));
  const sizes: number[] = [];
  for (let hours = 0; hours < 12; hours += 1) {
    for (let n = 0; n < 6; n += 1) {
      await fill(150);
      await advance(10 * MINUTE);
    }
    sizes.push(pages());
  }
  await process.stop();
  expect(sizes[2]).toBeGreaterThan(200);
  expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[2] as number) * 1.02);
});

test('no statement of it visits more than some hundred entries, however many are to go', async () => {
  await fill(6_000, (n) => n % 2 === 0);
  await advance(90 * MINUTE);
  const visits: Visited[] = [];
  const process = running(seen(stored(reporting(engine, (visited) => visits.push(visited)))));
  await advance(2 * MINUTE);
  await process.stop();
  expect(await entriesIn(stored()).count({})).toBe(3_000);
  expect(visits.length).toBeGreaterThan(60);
  expect(visits.filter(({ entries, sorts }) => entries > 500 || (entries > 200 && sorts()))).toEqual([]);
});
