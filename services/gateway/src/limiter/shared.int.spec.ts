import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { createLogger } from '@svc/service';
import { limiterSuite, windows } from './limiter.suite.ts';
import { removeIdle } from './removal.ts';
import { type LimitRow, limitRows, sharedLimiter } from './shared.ts';

const folder = mkdtempSync(join(tmpdir(), 'limits-'));
const engine = Engine.open(folder, { durable: false });
const logger = createLogger({ level: 'silent', service: 'test' });
let opened = 0;
const fresh = (): Collection<LimitRow> => limitRows(embeddedDocumentStore(engine, `svc_gateway_${(opened += 1)}`));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

limiterSuite('documents', async (clock) => sharedLimiter({ rows: fresh(), clock, logger }));

describe('limits shared by replicas', () => {
  const clock = new FakeClock();
  const plan = { windows: windows(['plan', 50]) };

  test('admit exactly their number over all of them', async () => {
    const rows = fresh();
    const replicas = Array.from({ length: 3 }, () => sharedLimiter({ rows, clock, logger }));
    const results = await Promise.all(Array.from({ length: 150 }, (_, n) => replicas[n % 3]?.take('test.acct_1', plan)));
    expect(results.filter((result) => result?.admitted)).toHaveLength(50);
  });

  test('are counted by each replica separately while the database is unavailable', async () => {
    const rows: Collection<LimitRow> = { ...fresh(), get: () => Promise.reject(new Error('connection refused')) };
    const limiter = sharedLimiter({ rows, clock, logger });
    const results = await Promise.all(Array.from({ length: 60 }, () => limiter.take('test.acct_1', plan)));
    expect(results.filter(({ admitted }) => admitted)).toHaveLength(50);
  });

  test('are removed when they are idle, and never while they are charged', async () => {
    const rows = fresh();
    const limiter = sharedLimiter({ rows, clock, logger });
    await limiter.take('test.acct_1', plan);
    const seen = (await rows.get('test.acct_1')) as LimitRow;
    expect(seen.due_at).toBe(clock.now() + 60_000);
    await limiter.take('test.acct_1', plan);
    await removeIdle(rows, [seen]);
    expect(await limiter.take('test.acct_1', plan)).toMatchObject({ remaining: 47 });
    await removeIdle(rows, [(await rows.get('test.acct_1')) as LimitRow]);
    expect(await rows.count({})).toBe(0);
  });

  test('write nothing for a charge of 0, and once for a cost that is refused again and again', async () => {
    const rows = fresh();
    const limiter = sharedLimiter({ rows, clock, logger });
    const submit = (cost: number) => limiter.take('test.acct_1', { windows: windows(['submit', 10, cost]) });
    await submit(0);
    expect(await rows.count({})).toBe(0);
    await submit(5);
    const version = async (): Promise<number> => (await rows.get('test.acct_1'))?.version ?? 0;
    const before = await version();
    for (const cost of [0, 8, 8, 7, 0]) await submit(cost);
    expect(await version()).toBe(before + 1);
  });

  describe('of an account that becomes active again', () => {
    const takenUp = async (rows: Collection<LimitRow>): Promise<LimitRow[]> => {
      await clock.advance(60_000);
      return rows.claim({ due_at: { $lte: clock.now() } }, { set: { due_at: clock.now() + 60_000 } });
    };

    test('continue at once after an interrupted removal', async () => {
      const rows = fresh();
      const limiter = sharedLimiter({ rows, clock, logger });
      await limiter.take('test.acct_1', plan);
      const cutOff: Collection<LimitRow> = { ...rows, write: () => Promise.reject(new Error('cut off')) };
      await expect(removeIdle(cutOff, await takenUp(rows))).rejects.toThrow('cut off');
      expect(await limiter.take('test.acct_1', plan)).toMatchObject({ admitted: true, remaining: 49 });
    }, 10_000);

    test('stay when the removal is repeated after further requests', async () => {
      const rows = fresh();
      const limiter = sharedLimiter({ rows, clock, logger });
      await limiter.take('test.acct_1', plan);
      const idle = await takenUp(rows);
      await removeIdle(rows, idle);
      for (let left = 49; left > 40; left -= 1) {
        expect(await limiter.take('test.acct_1', plan)).toMatchObject({ remaining: left });
        await removeIdle(rows, idle);
      }
    });
  });
});
