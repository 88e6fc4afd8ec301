import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { embeddedDocumentStore, type Collection } from '@svc/document-store';
import { createIds, FakeClock, settleTurns, systemClock, type NewEvent, type Recorded } from '@svc/kernel';
import { embeddedEventStore } from '../embedded/embedded-event-store.ts';
import { eventStoreSuite } from '../event-store.suite.ts';
import type { EventStore } from '../port.ts';
import { temporaryEngine } from '../testing/temporary-engine.ts';
import { encryptedEventStore, type EncryptedEventStore, type SubjectKeys } from './encrypted-event-store.ts';
import { documentSubjectKeys, type Secrets, type SubjectKey } from './subject-keys.ts';

const master = randomBytes(32);
const secrets: Secrets = {
  encrypt(plain) {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', master, iv);
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
  },
  decrypt(ciphertext) {
    const bytes = Buffer.from(ciphertext, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
  },
};

eventStoreSuite('embedded, encrypted', async () => {
  const fixture = temporaryEngine();
  const open = (engine = fixture.engine): EventStore =>
    encryptedEventStore(
      embeddedEventStore(engine, systemClock),
      documentSubjectKeys({ collection: embeddedDocumentStore(engine, 'svc_test').collection('subject_keys'), secrets }),
    );
  return { store: open(), reopen: async () => open(fixture.restart()), close: async () => fixture.remove() };
});

describe('personal data', () => {
  const clock = new FakeClock();
  const ids = createIds(clock);
  const personal = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const stream = 'customer-test.acct_1.cust_1';
  let fixture: ReturnType<typeof temporaryEngine>;
  let plain: EventStore;
  let keyDocs: Collection<SubjectKey>;
  let keys: SubjectKeys;
  let store: EncryptedEventStore;

  beforeEach(() => {
    fixture = temporaryEngine();
    plain = embeddedEventStore(fixture.engine, clock);
    keyDocs = embeddedDocumentStore(fixture.engine, 'svc_test').collection('subject_keys');
    keys = documentSubjectKeys({ collection: keyDocs, secrets, clock });
    store = encryptedEventStore(plain, keys);
  });
  afterEach(() => fixture.remove());

  const created = (data: object = { currency: 'EUR', personal }, subject = 'cust_1'): NewEvent => ({
    id: ids.next(),
    type: 'CustomerCreated',
    data,
    metadata: { v: 1, account: 'acct_1', env: 'test', subject },
  });
  const dataOf = (events: Recorded[]): object[] => events.map(({ data }) => data);

  test('is readable for readers and subscriptions, and is nowhere stored in clear', async () => {
    const followed: object[] = [];
    const stop = store.subscribe('start', async ({ events }) => void followed.push(...dataOf(events)));
    await store.append(stream, 'none', [created()]);
    expect(dataOf(await store.read(stream))).toEqual([{ currency: 'EUR', personal }]);
    await settleTurns();
    await stop();
    expect(followed).toEqual([{ currency: 'EUR', personal }]);

    const stored = JSON.stringify(dataOf(await plain.read(stream)));
    expect(stored).toContain('EUR');
    expect(stored).not.toMatch(/Ada Lovelace|ada@/);
    const key = await keyDocs.get('cust_1');
    expect(key?.sealed).toEqual(expect.any(String));
  });

  test('a subscription gets the very data of an event that this process appended, and null once the key is destroyed', async () => {
    const followed: Recorded[] = [];
    const after = { state: { personal }, bytesBefore: 0 };
    const [first, second] = [created(), created()].map((event) => ({ ...event, after })) as [NewEvent, NewEvent];
    const stop = store.subscribe('start', async ({ events }) => void followed.push(...events));
    await store.append(stream, 'none', [first]);
    await settleTurns();
    expect(followed[0]?.data).toBe(first.data);
    expect(followed[0]?.after).toBe(after);
    await stop();
    const from = followed[0]?.position ?? 0n;
    const follow = (to: Recorded[]) => store.subscribe(from, async ({ events }) => void to.push(...events));
    const [one, other, later]: [Recorded[], Recorded[], Recorded[]] = [[], [], []];
    const stops = [follow(one), follow(other)];
    await store.append(stream, 0n, [second]);
    await settleTurns();
    expect(one[0]).toMatchObject({ data: second.data, after });
    expect(other[0]).toBe(one[0]);
    await keys.destroy('cust_1');
    stops.push(follow(later));
    await settleTurns();
    await Promise.all(stops.map((stop) => stop()));
    expect(later[0]?.data).toEqual({ currency: 'EUR', personal: null });
    expect(JSON.stringify({ ...later[0], revision: 1, position: 2 })).not.toContain(personal.name);
  });

  test('events without a subject or without personal data are stored unchanged', async () => {
    const { metadata, ...rest } = created({ personal });
    const events = [created({ personal: null }), created({ currency: 'EUR' }), { ...rest, metadata: { ...metadata, subject: undefined } }];
    await store.append(stream, 'none', events);
    expect(dataOf(await plain.read(stream))).toEqual([{ personal: null }, { currency: 'EUR' }, { personal }]);
    expect(await keyDocs.get('cust_1')).toBeUndefined();
  });

  test('destroying the key erases it: null in every event of that subject; others are not affected', async () => {
    await store.append(stream, 'none', [created(), created()]);
    await store.append('customer-test.acct_1.cust_2', 'none', [created({ personal }, 'cust_2')]);
    await keys.destroy('cust_1');
    expect(dataOf(await store.read(stream))).toEqual([
      { currency: 'EUR', personal: null },
      { currency: 'EUR', personal: null },
    ]);
    expect(dataOf(await store.read('customer-test.acct_1.cust_2'))).toEqual([{ personal }]);
    expect(await keyDocs.get('cust_1')).toMatchObject({ sealed: null });
  });

  test('another process that has cached the key drops it within 5 s', async () => {
    await store.append(stream, 'none', [created()]);
    const elsewhere = encryptedEventStore(plain, documentSubjectKeys({ collection: keyDocs, secrets, clock }));
    expect(dataOf(await elsewhere.read(stream))).toEqual([{ currency: 'EUR', personal }]);
    await keys.destroy('cust_1');
    await clock.advance(5_000);
    expect(dataOf(await elsewhere.read(stream))).toEqual([{ currency: 'EUR', personal: null }]);
  });

  test('says whether a subject has a key', async () => {
    expect(await store.hasKey('cust_1')).toBe(false);
    await store.append(stream, 'none', [created()]);
    expect(await store.hasKey('cust_1')).toBe(true);
    await keys.destroy('cust_1');
    expect(await store.hasKey('cust_1')).toBe(false);
  });

  test('a destroyed key is not created again, also for a subject that never had one', async () => {
    await keys.destroy('cust_1');
    await keys.destroy('cust_1');
    await expect(store.append(stream, 'none', [created()])).rejects.toMatchObject({ code: 'not_found' });
    expect(await plain.read(stream)).toEqual([]);
  });

  test('two processes that create a key concurrently get the same one', async () => {
    const others = documentSubjectKeys({ collection: keyDocs, secrets, clock });
    const [one, two] = await Promise.all([keys.forWriting('cust_1'), others.forWriting('cust_1')]);
    expect(one.equals(two)).toBe(true);
  });

  test('moved to another event or stream it cannot be decrypted', async () => {
    await store.append(stream, 'none', [created()]);
    const [stored] = (await plain.read(stream)) as [Recorded];
    await plain.append('customer-test.acct_1.cust_9', 'none', [stored]);
    await expect(store.read('customer-test.acct_1.cust_9')).rejects.toThrow();
    await plain.append(stream, 0n, [{ ...stored, id: ids.next() }]);
    await expect(store.read(stream, 1n)).rejects.toThrow();
  });

  test('an event that a subscription cannot decrypt is logged and retried, never skipped', async () => {
    const logged: string[] = [];
    const handled: object[] = [];
    let isDown = true;
    const failing: SubjectKeys = {
      ...keys,
      forReading: (subject) => (isDown ? Promise.reject(new Error('down')) : keys.forReading(subject)),
    };
    const stop = encryptedEventStore(plain, failing, { error: (_, message) => void logged.push(message) }).subscribe(
      'start',
      async ({ events }) => {
        handled.push(...dataOf(events));
      },
    );
    await store.append(stream, 'none', [created()]);
    await settleTurns();
    expect(handled).toEqual([]);
    isDown = false;
    await clock.advance(1_000);
    await stop();
    expect(logged).toEqual(['personal data cannot be opened; the subscription tries again']);
    expect(handled).toEqual([{ currency: 'EUR', personal }]);
  });

  test('a repeated append is recognized although it is encrypted anew', async () => {
    const event = created();
    await store.append(stream, 'none', [event]);
    expect(await store.append(stream, 'none', [event])).toMatchObject({ revision: 0n });
    expect(await plain.read(stream)).toHaveLength(1);
  });
});
