import { once } from 'node:events';
import { Controller, Module } from '@nestjs/common';
import { settleTurns, systemClock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listEnvelope, listPage, type ListRequest, Serves } from '../index.ts';
import { untilShown } from '../lists/as-of.ts';
import { atRest, NEVER, openAnswers, textOf, until } from './testing/answers-app.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const ROWS = 150;
const rows = Array.from({ length: ROWS }, (_, n) => ({ id: `row_${n}`, text: `ë${'x'.repeat(120 * KIB)}` }));
/** Called in place of reading a chunk; `n`: rows that were read and not sent yet. */
let onRead: (n: number) => void | Promise<void>;
let read: number;

/** Chunks of a report that are done. */
let worked: number;

/** Pages that were begun, that are being made, and the most that were made at once; what their handlers wait for. */
let [begun, inWork, mostInWork] = [0, 0, 0];
let held: Promise<void> | undefined;

@Controller()
class Lists {
  private options(request: ListRequest) {
    return { publicUrl: 'https://api.test', request, total: ROWS };
  }

  @Serves('GET /customers')
  large(request: FastifyRequest & ListRequest) {
    const page = { docs: rows.slice(0, 2), left: rows.slice(2).map(({ id }) => id) };
    const chunks = async function* (ids: string[]) {
      for (const id of ids) {
        const n = Number(id.slice(4));
        await onRead(n);
        read = n;
        yield rows.slice(n, n + 1);
      }
    };
    return listPage({ ...this.options(request), page, read: chunks, turn: request.turn, toResource: (row) => row as never });
  }

  @Serves('GET /invoices')
  whole(request: ListRequest) {
    return listEnvelope({ ...this.options(request), data: rows as never[] });
  }

  /** Reads as many KiB as the query says, then returns a small response. */
  /** The same, but no page of a list. */
  @Serves('GET /customers/{id}')
  async largeDocument(request: FastifyRequest) {
    return (await this.large(request as FastifyRequest & ListRequest)) as never;
  }

  /** A page of some 200 KiB, or as many as the query says. */
  @Serves('GET /webhooks')
  async page(request: FastifyRequest & ListRequest) {
    const { kib = '200' } = request.query as { kib?: string };
    begun += 1;
    inWork += 1;
    mostInWork = Math.max(mostInWork, inWork);
    await held;
    const chunks = async function* (ids: string[]) {
      for (const id of ids) yield [{ id, text: 'x'.repeat((Number(kib) * KIB) / 2) }];
    };
    const page = { docs: [], left: ['a', 'b'] };
    return listPage({ ...this.options(request), page, read: chunks, turn: request.turn, toResource: (row) => row as never }).finally(
      () => (inWork -= 1),
    );
  }

  @Serves('GET /reports/{report}')
  async report(request: FastifyRequest) {
    const { kib } = request.query as { kib: string };
    for (let n = 0; n < Number(kib) / 32; n += 1) {
      await request.turn(32 * KIB);
      worked += 1;
    }
    return { done: true } as never;
  }

  /** Reads much this many times, releasing the permit in between. Returns the number of listeners that are left. */
  @Serves('GET /receipts/{id}')
  async repeated(request: FastifyRequest, reply: FastifyReply) {
    const before = reply.raw.listenerCount('close');
    for (let n = 0; n < 20; n += 1) {
      await request.turn(100 * KIB);
      request.releasePermit();
      await settleTurns();
    }
    return { left: reply.raw.listenerCount('close') - before } as never;
  }

  /** A page whose read model is there once `held` is over. */
  @Serves('GET /receipts')
  async late(request: FastifyRequest & ListRequest) {
    begun += 1;
    await untilShown(request.reply, { asOf: async (waits) => (waits?.(), held?.then(() => undefined)) });
    mostInWork = Math.max(mostInWork, (inWork += 1));
    await settleTurns();
    inWork -= 1;
    return this.small(request);
  }

  @Serves('GET /products')
  small(request: FastifyRequest & ListRequest) {
    const page = { docs: [{ id: 'a' }], left: [] };
    return listPage({ ...this.options(request), page, read: () => [] as never, turn: request.turn, toResource: (row) => row as never });
  }
}

@Module({ controllers: [Lists] })
class TestModule {}

/** Limits under which slow clients are never cut. */
const patient = { perAccount: 2, inAll: 3, stalledMs: NEVER };
let app: Awaited<ReturnType<typeof openAnswers>>;
const open: typeof app.open = (...asked) => app.open(...asked);
const start = async (answers: Parameters<typeof openAnswers>[1]) => (app = await openAnswers(TestModule, { ...patient, ...answers }));
beforeEach(() => {
  onRead = () => undefined;
  read = worked = begun = inWork = mostInWork = 0;
  held = undefined;
});
/** A list whose client reads nothing, so that it keeps its permit. */
const stalledList = async (account?: string, path = '/v1/customers') => {
  read = 0;
  const socket = await app.stalled(path, account);
  await until(() => read > 0);
  return socket;
};

describe('a large page', () => {
  beforeAll(() => start({ inAll: 8 }));
  afterAll(() => app.close());
  afterEach(() => app.leave());

  test('is equal to the same list in one piece, byte for byte', async () => {
    const streamed = await open('/v1/customers?per_page=150');
    expect([streamed.statusCode, streamed.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const [page, whole] = [await textOf(streamed), await textOf(await open('/v1/invoices?per_page=150'))];
    expect(page.replaceAll('/v1/customers', '/v1/invoices') === whole).toBe(true);
    expect((JSON.parse(page) as { data: object[] }).data).toHaveLength(ROWS);
  });

  test('is produced at the pace of the client, and stops when the client disconnects', async () => {
    const response = await open('/v1/customers');
    await once(response, 'readable');
    const before = await atRest(() => read);
    expect(before).toBeLessThan(ROWS - 10); // the rest waits, except for what the kernel buffers
    response.destroy();
    await until(() => app.connections() === 0);
    expect((await atRest(() => read)) - before).toBeLessThan(10);
    expect(app.log).toEqual([]);
  });

  test('is produced in turns: other requests are answered in between', async () => {
    const lists = ['acct_a', 'acct_b', 'acct_c'].map((account) => open('/v1/customers', account).then(textOf));
    let answered = 0;
    let over = false;
    const all = Promise.all(lists).then(() => (over = true));
    for (; !over; answered += 1) await textOf(await open('/v1/products'));
    await all;
    expect(answered).toBeGreaterThan(2);
  });

  test('that fails midway breaks the transfer, never ends early, and is logged with its request', async () => {
    onRead = (n) => {
      if (n === 50) throw new Error('the disk is gone');
    };
    expect(await textOf(await open('/v1/customers'))).toBe('cut');
    expect(JSON.parse(app.log[0] ?? '')).toMatchObject({
      account: 'acct_a',
      msg: 'an answer broke off',
      err: { message: 'the disk is gone' },
    });
    expect(JSON.parse(app.log[0] ?? '').request_id).toMatch(/^req_/);
  });

  test('is sent in one piece where it is small', async () => {
    const response = await open('/v1/products');
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(await textOf(response))));
  });

  test('is not produced for HEAD', async () => {
    const response = await open('/v1/customers', 'acct_a', 'HEAD');
    expect([response.statusCode, response.headers['content-type'], await textOf(response)]).toEqual([
      ...[200, 'application/json; charset=utf-8', ''],
    ]);
    expect(response.headers['content-length']).toBeUndefined();
    expect(read).toBeLessThan(10);
  });
});

describe('clients that read nothing', () => {
  afterEach(() => app.close());

  test.each(['/v1/customers', '/v1/invoices'])('are disconnected: %s', async (path) => {
    await start({ stalledMs: 500 });
    await app.stalled(path);
    await until(() => app.connections() === 1);
    await until(() => app.connections() === 0);
    expect(app.cuts()).toEqual(['its reader takes nothing']);
  });

  test('delay other requests of their account, which then get 503; other accounts are served, and later all are', async () => {
    await start({ waitMs: 300 });
    for (let n = 0; n < 2; n += 1) await stalledList();
    const [mine, other] = [open('/v1/customers'), open('/v1/customers', 'acct_b')];
    expect((await textOf(await other)).length).toBeGreaterThan(ROWS * 120 * KIB);
    const refused = await mine;
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
      ...[503, '5', 'application/json; charset=utf-8'],
    ]);
    expect(JSON.parse(await textOf(refused))).toMatchObject({ error: { code: 'service_unavailable' } });
    await app.leave();
    expect((await textOf(await open('/v1/customers'))).length).toBeGreaterThan(ROWS * 120 * KIB);
  });

  test('that read slowly are not disconnected while no other account waits', async () => {
    await start({ stalledMs: 3_000, graceMs: 0, leastRate: 1e12 });
    const response = await open('/v1/customers');
    let [length, pauses] = [0, 0];
    for await (const piece of response) {
      length += (piece as Buffer).length;
      if (length < pauses * 700 * KIB) continue;
      pauses += 1;
      await systemClock.sleep(300);
    }
    expect(pauses).toBeGreaterThan(20); // longer in total than a client may stall
    expect(length).toBeGreaterThan(ROWS * 120 * KIB);
  });

  test('and had enough time are disconnected when an account without a permit waits', async () => {
    await start({ waitMs: NEVER, graceMs: 0, leastRate: 1e12 });
    for (const account of ['acct_a', 'acct_b', 'acct_c']) await stalledList(account);
    expect((await textOf(await open('/v1/customers', 'acct_d'))).length).toBeGreaterThan(ROWS * 120 * KIB);
    expect(app.cuts()).toEqual(['it is taken slowly, and others wait']);
  });

  test('are disconnected together with all lists of their connection', async () => {
    await start({ waitMs: NEVER, graceMs: 0, leastRate: 1e12, perAccount: 3, inAll: 5 });
    await app.stalled('/v1/customers', 'acct_a', 'GET', 3);
    for (const account of ['acct_b', 'acct_c']) await stalledList(account);
    expect((await textOf(await open('/v1/customers', 'acct_d'))).length).toBeGreaterThan(ROWS * 120 * KIB);
  });
});

describe('pages of one account', () => {
  afterEach(() => app.close());
  /** Their handlers wait until the returned function is called. */
  const hold = (): (() => void) => {
    let go = (): void => undefined;
    held = new Promise((resolve) => (go = resolve));
    return go;
  };

  test('that are asked at one moment are all answered, a few at a time', async () => {
    await start({ waitMs: NEVER });
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () =>
        open('/v1/webhooks').then(async (answer) => [answer.statusCode, (await textOf(answer)).length]),
      ),
    );
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(([, length]) => length)).size).toBe(1);
    expect([begun, mostInWork]).toEqual([100, 2]);
  });

  test('that wait for their read model hold up no others, and are made a few at a time afterwards', async () => {
    await start({ waitMs: NEVER });
    const go = hold();
    const late = Array.from({ length: 40 }, () => open('/v1/receipts').then(textOf));
    await until(() => begun === 40);
    expect((await open('/v1/products')).statusCode).toBe(200);
    go();
    expect((await Promise.all(late)).filter((text) => !text.includes('"data"'))).toEqual([]);
    expect(mostInWork).toBe(2);
  });

  test('wait before their work, as many as their bytes allow, and are refused before it', async () => {
    await start({ waitMs: NEVER, waitingPerAccount: 40 * KIB });
    const go = hold();
    const answers = Array.from({ length: 2 }, () => open('/v1/webhooks'));
    await until(() => begun === 2);
    answers.push(...Array.from({ length: 6 }, () => open('/v1/webhooks')));
    const over: (number | undefined)[] = [];
    for (const answer of answers) void answer.then(({ statusCode }) => over.push(statusCode));
    await until(() => over.length === 4);
    expect([over, begun]).toEqual([[503, 503, 503, 503], 2]);
    go();
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 200, 503, 503, 503, 503]);
  });

  test('that fit in one piece do not wait for the readers of others until these hold half of the bytes of their account, and are never cut', async () => {
    await start({ waitMs: NEVER, unreadPerAccount: 4 * MIB });
    const pages = 30;
    const socket = await app.stalled('/v1/webhooks?kib=900', 'acct_a', 'GET', pages);
    await atRest(() => begun);
    expect(begun).toBeGreaterThan(2);
    expect(begun).toBeLessThan(pages);
    let taken = 0;
    socket.on('data', (piece: Buffer) => (taken += piece.length)).resume();
    await until(() => taken > pages * 900 * KIB);
    expect([begun, app.cuts()]).toEqual([pages, []]);
  });
});

describe('the work on a response', () => {
  afterEach(() => app.close());

  test('takes a permit before it starts where it is large, and releases it with its response', async () => {
    await start({ waitMs: 300 });
    for (let n = 0; n < 2; n += 1) await stalledList('acct_a', '/v1/customers/x');
    await atRest(() => read); // their first MiB is made before they take their permits
    const [small, large] = await Promise.all([open('/v1/reports/vat?kib=64'), open('/v1/reports/vat?kib=640')]);
    expect([small.statusCode, large.statusCode, worked]).toEqual([200, 503, 4]);
    await Promise.all([small, large].map(textOf));
    await app.leave();
    for (let n = 0; n < 5; n += 1) {
      const again = await open('/v1/reports/vat?kib=640');
      expect([again.statusCode, await textOf(again)]).toEqual([200, '{"done":true}']);
    }
  });

  test('takes a permit as often as it releases one, and leaves no listener on the response', async () => {
    await start({ perAccount: 1 });
    expect(await textOf(await open('/v1/receipts/x'))).toBe('{"left":0}');
  });
});
