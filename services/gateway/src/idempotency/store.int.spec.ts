import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { FakeClock, OutcomeUnknown } from '@svc/kernel';
import { newKeyRing, parseKeyRing } from '@svc/service';
import { eraseAnswers, forgetAnswers } from './erasing.ts';
import { idempotencyRows, rowId } from './row.ts';
import type { Claim, IdempotencyRow } from './row.ts';
import { createIdempotencyStore, type IdempotencyStore } from './store.ts';
import { earlierProcess } from './testing/earlier-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'idempotency-'));
const engine = Engine.open(folder, { durable: false });
const rows = idempotencyRows(embeddedDocumentStore(engine, 'svc_gateway', { hasEvents: true }));
const clock = new FakeClock();
const store: IdempotencyStore = createIdempotencyStore({ rows, clock, secrets: parseKeyRing(newKeyRing()), processes: earlierProcess });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const LEASE_MS = 60_000;
const about = { account: 'acct_1', subject: null, secret: 'none' } as const;
const answer = (body: string) => ({ status: 201, headers: {}, body });
const begin = (key: string) => store.begin({ scope: 'test.acct_1', key, fingerprint: 'f', command: 'c1' });

/** Claims of a request that exceeds its lease, and of the one that takes the key over. */
async function twoClaims(key: string): Promise<[Claim, Claim]> {
  const claims: Claim[] = [];
  for (let n = 0; n < 2; n += 1) {
    const begun = await begin(key);
    if (begun.kind !== 'run') throw new Error(`${begun.kind} instead of a claim`);
    claims.push(begun.claim);
    await clock.advance(LEASE_MS);
  }
  return claims as [Claim, Claim];
}

describe('the response of the request that took a key over', () => {
  test('stays when the first request ends after it', async () => {
    const [first, second] = await twoClaims('a');
    await store.keep(second, answer('second'), about);
    await clock.advance(1);
    await store.keep(first, answer('first'), about);
    await store.release(first);
    expect(await begin('a')).toEqual({ kind: 'replay', answer: answer('second') });
  });

  test('is kept when the first request ends before it', async () => {
    const [first, second] = await twoClaims('b');
    await store.keep(first, answer('first'), about);
    await store.keep(second, answer('second'), about);
    expect(await begin('b')).toEqual({ kind: 'replay', answer: answer('second') });
  });
});

test('after a restore a repeat runs again under the same command id, whatever response was kept', async () => {
  for (let n = 0; n < 205; n += 1) {
    const begun = await begin(`restored-${n}`);
    if (begun.kind === 'run') await store.keep(begun.claim, answer('lost'), about);
  }
  await forgetAnswers(rows);
  for (const key of ['restored-0', 'restored-204']) expect(await begin(key)).toMatchObject({ kind: 'run', claim: { command: 'c1' } });
});

test('a claim without an answer that is stored all the same is free for the next request, which has its command', async () => {
  const lost = new OutcomeUnknown('the answer is lost');
  const own = createIdempotencyStore({
    rows: {
      ...rows,
      insert: async (row) => (await rows.insert(row)) && Promise.reject(lost),
      claim: async (...asked) => ((await rows.claim(...asked)).length > 0 ? Promise.reject(lost) : []),
    },
    ...{ clock, secrets: parseKeyRing(newKeyRing()), processes: earlierProcess },
  });
  const as = (command: string) => ({ scope: 'test.acct_1', key: 'lost', fingerprint: 'f', command });
  await expect(own.begin(as('c1'))).rejects.toBe(lost);
  expect(await store.begin(as('c2'))).toMatchObject({ kind: 'in_use' });
  await expect(own.begin(as('c3'))).rejects.toBe(lost);
  await expect(own.begin(as('c4'))).rejects.toBe(lost);
  expect(await rows.get(rowId('test.acct_1', 'lost'))).toMatchObject({ version: 3, command: 'c1' });
});

describe('a response above 64 KiB', () => {
  const large = `{"data":[${Array.from({ length: 20_000 }, (_, n) => `{"index":${n},"description":"Größe 株式 🙂"}`).join()}]}`;
  const stored = async (key: string): Promise<IdempotencyRow> => (await rows.get(rowId('test.acct_1', key))) as IdempotencyRow;
  const kept = async (key: string, body = large, of: object = about): Promise<void> => {
    const begun = await begin(key);
    if (begun.kind !== 'run') throw new Error(`${begun.kind} instead of a claim`);
    await store.keep(begun.claim, answer(body), of as typeof about);
  };

  test('takes less room than 64 KiB where its rows are alike, and is replayed as it was sent', async () => {
    await kept('large');
    expect(Buffer.byteLength(JSON.stringify(await stored('large')))).toBeLessThan(64 * 1024);
    expect(await begin('large')).toEqual({ kind: 'replay', answer: answer(large) });
  });

  test('of 64 KiB is kept as it is, of one byte more compressed', async () => {
    const atMost = 'ä'.repeat(32 * 1024);
    await kept('at most', atMost);
    await kept('one more', `${atMost}x`);
    expect([(await stored('at most')).answer?.body, (await stored('one more')).answer]).toEqual([atMost, null]);
    expect(await begin('one more')).toEqual({ kind: 'replay', answer: answer(`${atMost}x`) });
  });

  test('with a secret is encrypted', async () => {
    const secret = `whsec_${'s'.repeat(100_000)}`;
    await kept('secret', secret, { ...about, secret: 'shown' });
    const text = (await stored('secret')).answer_text ?? '';
    expect([text.length < 64 * 1024, Buffer.from(text, 'base64').includes('whsec_')]).toEqual([true, false]);
    expect(await begin('secret')).toEqual({ kind: 'replay', answer: answer(secret) });
  });

  test('is no response to a replica of 0.1.0, whose own one is replayed from then on', async () => {
    await kept('mixed');
    const row = await stored('mixed');
    expect(row.answer).toBeNull(); // so it claims the row, and keeps all fields that it does not know
    await rows.write([{ put: { ...row, version: row.version + 2, answer: { ...answer('again'), sealed: false } } }]);
    expect(await begin('mixed')).toEqual({ kind: 'replay', answer: answer('again') });
  });

  test('is replayed to all who repeat at once, and erased with all others', async () => {
    await kept('many');
    const repeats = await Promise.all(Array.from({ length: 20 }, () => begin('many')));
    expect(repeats.filter(({ kind }) => kind === 'replay')).toHaveLength(20);
    await forgetAnswers(rows);
    expect(await begin('many')).toMatchObject({ kind: 'run', claim: { command: 'c1' } });
    expect((await stored('many')).answer_text).toBeUndefined();
  });

  test('that shows drafts of customers is compressed, and erased', async () => {
    for (const [key, subject] of [
      ['draft', 'cust_3'],
      ['drafts', 'customers of test.acct_1'],
    ] as const) {
      await kept(key, `${large}cust_3`, { ...about, subject });
      expect(await stored(key)).toMatchObject({ answer: null, subject });
    }
    await eraseAnswers(rows, { scope: 'test.acct_1', customer: 'cust_3' });
    for (const key of ['draft', 'drafts']) expect(await begin(key)).toMatchObject({ kind: 'run', claim: { command: 'c1' } });
  });

  test('about customers is readable for replicas of 0.1.0, which erase; compressed by a later release it is erased too', async () => {
    const customers = 'customers of test.acct_1';
    await kept('customers', `${large}cust_1`, { ...about, subject: customers, whole: true });
    const row = await stored('customers');
    expect(row.answer?.body).toBe(`${large}cust_1`);
    const answer_text = zstdCompressSync(Buffer.from(`${large}cust_1`)).toString('base64');
    const compressed = { status: 200, headers: {}, sealed: false };
    await rows.write([{ put: { ...row, version: row.version + 1, answer: null, answer_text, compressed } }]);
    await eraseAnswers(rows, { scope: 'test.acct_1', customer: 'cust_2' });
    expect((await stored('customers')).compressed).toBeDefined();
    await eraseAnswers(rows, { scope: 'test.acct_1', customer: 'cust_1' });
    expect(await stored('customers')).toMatchObject({ answer: null, subject: null });
    expect((await stored('customers')).answer_text).toBeUndefined();
  });
});

let starts = 0;

describe.each([true, false])('claims that may wait for events in memory; the request appends events first: %s', (appends) => {
  /** Of a process that starts under the name of the one before it. */
  const storeOn = (on: Collection<IdempotencyRow>): IdempotencyStore => {
    starts += 1;
    const own = `one ${starts}`;
    const processes = { own: () => own, isGone: async (process: string) => process !== own };
    return createIdempotencyStore({ rows: on, clock, secrets: parseKeyRing(newKeyRing()), processes });
  };
  const request = (key: string, over: object = {}) => ({ scope: 'test.acct_1', key, fingerprint: 'f', command: 'c1', appends, ...over });

  test('repeats of an answered request that come together all get its response, beside a request with another body', async () => {
    const own = storeOn(rows);
    const key = `together-${appends}`;
    const begun = await own.begin(request(key));
    if (begun.kind === 'run') await own.keep(begun.claim, answer('first'), about);
    const repeats = [request(key, { fingerprint: 'g' }), request(key), request(key), request(key)];
    expect((await Promise.all(repeats.map((one) => own.begin(one)))).map(({ kind }) => kind)).toEqual([
      ...['reused', 'replay', 'replay', 'replay'],
    ]);
  });

  test('requests that come together are one run', async () => {
    const own = storeOn(rows);
    const begun = await Promise.all(Array.from({ length: 5 }, (_, n) => own.begin(request(`first-${appends}`, { command: `c${n}` }))));
    expect(begun.map(({ kind }) => kind).toSorted()).toEqual([...Array(4).fill('in_use'), 'run']);
  });

  test('a repeat after the process has been killed runs at once, once, and under the same command', async () => {
    const key = `killed-${appends}`;
    // A kill leaves the row of a claim, stored by itself or with its events, and no process that has the claim.
    const left = { scope: 'test.acct_1', key, fingerprint: 'f', command: 'c1' };
    expect(await storeOn(rows).begin({ ...left, appends: false })).toMatchObject({ kind: 'run' });
    const next = storeOn(rows);
    const begun = await Promise.all([2, 3, 4].map((n) => next.begin(request(key, { command: `c${n}` }))));
    expect(begun.map(({ kind }) => kind).toSorted()).toEqual(['in_use', 'in_use', 'run']);
    expect(begun.find(({ kind }) => kind === 'run')).toMatchObject({ claim: { command: 'c1' } });
    expect(await next.begin(request(key, { fingerprint: 'g' }))).toEqual({ kind: 'reused' });
  });

  test('a claim that waits longer than its lease stays known where the store takes nothing: the next run has its command', async () => {
    let isFull = false;
    const own = storeOn({
      ...rows,
      claim: async (...asked) => {
        if (isFull) throw new Error('the disk is full');
        return rows.claim(...asked);
      },
    });
    const key = `waits-${appends}`;
    const first = await own.begin(request(key));
    await clock.advance(LEASE_MS);
    isFull = true;
    await expect(own.begin(request(key, { command: 'c2' }))).rejects.toThrow('full');
    isFull = false;
    expect(await own.begin(request(key, { command: 'c3' }))).toMatchObject({ kind: 'run', claim: { command: 'c1' } });
    expect(first).toMatchObject({ kind: 'run', claim: { command: 'c1' } });
  });
});
