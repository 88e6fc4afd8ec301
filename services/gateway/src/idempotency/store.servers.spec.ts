import { type OpenMongo, openMongo } from '@svc/document-store/mongodb/open';
import { takeNamespaces } from '@svc/document-store/testing/namespace';
import { FakeClock } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing } from '@svc/service';
import { expiredKeys } from './expiry.ts';
import { idempotencyRows } from './row.ts';
import type { Claim } from './row.ts';
import { type Begun, createIdempotencyStore, type IdempotencyStore } from './store.ts';
import { earlierProcess } from './testing/earlier-process.ts';

const { url, next, drop } = takeNamespaces();
const logger = createLogger({ level: 'silent', service: 'test' });
afterAll(drop);

describe('idempotency keys of three replicas on MongoDB', () => {
  let clock: FakeClock;
  let mongos: OpenMongo[];
  let rows: ReturnType<typeof idempotencyRows>[];
  let stores: IdempotencyStore[];
  beforeEach(() => {
    const namespace = next();
    const secrets = parseKeyRing(newKeyRing());
    clock = new FakeClock();
    mongos = [1, 2, 3].map(() => openMongo({ url, namespace, logger }));
    rows = mongos.map((mongo) => idempotencyRows(mongo.database('svc_gateway')));
    stores = rows.map((mine) => createIdempotencyStore({ rows: mine, clock, secrets, processes: earlierProcess }));
  });
  afterEach(async () => {
    for (const mongo of mongos) await mongo.close();
  });

  const begin = (n: number, key: string): Promise<Begun> =>
    (stores[n % 3] as IdempotencyStore).begin({ scope: 'test.acct_1', key, fingerprint: 'f', command: `c${n}` });
  const together = (times: number, key: string): Promise<Begun[]> => Promise.all(Array.from({ length: times }, (_, n) => begin(n, key)));
  const claims = (begun: Begun[]): Claim[] => begun.flatMap((one) => (one.kind === 'run' ? [one.claim] : []));
  const answer = { status: 201, headers: { etag: '"1"' }, body: '{"id":"cust_1","text":"ë$.%"}' };

  test('of 60 requests under one key one runs, and the others get its response', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = `k${round}`;
      const begun = await together(60, key);
      const [claim, ...more] = claims(begun);
      expect(more).toEqual([]);
      expect(begun.filter(({ kind }) => kind === 'in_use')).toHaveLength(59);
      await stores[round % 3]?.keep(claim as Claim, answer, { account: 'acct_1', subject: null, secret: round % 2 ? 'shown' : 'none' });
      expect(await together(9, key)).toEqual(Array(9).fill({ kind: 'replay', answer }));
    }
  });

  test('after the lease one request takes over, under the first command', async () => {
    const [first] = claims(await together(30, 'k'));
    await clock.advance(60_000);
    const [second, ...more] = claims(await together(30, 'k'));
    expect(more).toEqual([]);
    expect(second?.command).toBe(first?.command);
    await stores[0]?.keep(second as Claim, answer, { account: 'acct_1', subject: null, secret: 'none' });
    await stores[1]?.keep(first as Claim, { ...answer, body: 'late' }, { account: 'acct_1', subject: null, secret: 'none' });
    expect(await begin(2, 'k')).toEqual({ kind: 'replay', answer });
  });

  test('while one replica removes a key and others claim it, one runs again', async () => {
    const [claim] = claims(await together(3, 'k'));
    await stores[0]?.keep(claim as Claim, answer, { account: 'acct_1', subject: null, secret: 'none' });
    await clock.advance(49 * 3_600_000);
    const row = await rows[0]?.get(claim?._id as string);
    const remove = async (mine: (typeof rows)[number]): Promise<void> => {
      const gone = row ? await expiredKeys(mine).removable?.([row], clock.now()) : [];
      await mine.write((gone ?? []).map(({ _id, version }) => ({ delete: _id, version })));
    };
    const [begun] = await Promise.all([together(30, 'k'), ...rows.map(remove)]);
    expect(claims(begun).length).toBeLessThanOrEqual(1);
    expect(claims([...begun, ...(await together(30, 'k'))])).toHaveLength(1);
  });
});
