import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Controller, Module } from '@nestjs/common';
import { systemClock } from '@svc/kernel';
import { type RequestOf, Serves } from '../index.ts';
import { NEVER, openAnswers, textOf, until } from './testing/answers-app.ts';

const MIB = 1024 * 1024;
/** More than the kernel buffers. */
const text = 'x'.repeat(12 * MIB);
/** The number of executed requests, and a promise that they wait for before they respond. */
let executed = 0;
let barrier: () => Promise<void> | undefined;

/** As another process sends it, as fast as it is read. */
function* pieces(): Generator<Buffer> {
  for (let sent = 0; sent < text.length; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, 'x');
}

@Controller()
class Writes {
  @Serves('POST /invoices/{id}/submit')
  async submit(request: RequestOf<'POST /invoices/{id}/submit'>) {
    executed += 1;
    await barrier();
    if (request.params.id === 'passed-on') return Readable.from(pieces()) as never;
    return (request.params.id === 'small' ? { id: 'small' } : { text }) as never;
  }
}
@Module({ controllers: [Writes] })
class TestModule {}

const limits = { unreadPerAccount: 40 * MIB, unreadInAll: 100 * MIB, perAccount: 2, inAll: 8, stalledMs: NEVER, longestMs: NEVER };
const LARGE = '/v1/invoices/large/submit';
let app: Awaited<ReturnType<typeof openAnswers>>;
const start = async (more: Parameters<typeof openAnswers>[1]) => (app = await openAnswers(TestModule, { ...limits, waitMs: 300, ...more }));
beforeEach(() => {
  executed = 0;
  barrier = () => undefined;
});
afterEach(() => app.close());
/** A write that is executed while its client does not read the response. */
const unread = async (account = 'acct_a'): Promise<Socket> => {
  const before = executed;
  const socket = await app.stalled(LARGE, account, 'POST');
  await until(() => executed > before);
  return socket;
};
const status = async (path: string, account: string) => {
  const answer = await app.open(path, account, 'POST');
  await textOf(answer);
  return [answer.statusCode, answer.headers['retry-after']];
};

describe('unread responses to writes', () => {
  test('delay the next requests of their account, which then get 503 unexecuted; other accounts are served', async () => {
    await start({});
    for (let n = 0; n < 3; n += 1) await unread(); // the third with a permit
    await unread();
    expect(await status('/v1/invoices/small/submit', 'acct_a')).toEqual([503, '5']);
    expect(executed).toBe(4);
    expect(await status(LARGE, 'acct_b')).toEqual([200, undefined]);
  });

  test('are read completely later, and then their account is served again', async () => {
    await start({ waitMs: NEVER });
    const answers = [1, 2, 3].map(() => app.open(LARGE, 'acct_a', 'POST'));
    const begun = await Promise.all(answers);
    expect((await Promise.all(begun.map(textOf))).every((whole) => whole.length > text.length)).toBe(true);
    expect([await status(LARGE, 'acct_a'), app.cuts()]).toEqual([[200, undefined], []]);
  });

  test('of concurrent writes are cut, the oldest first, as far as they exceed the limit of the account', async () => {
    await start({});
    let go = (): void => undefined;
    const all = new Promise<void>((resolve) => (go = resolve));
    barrier = () => all;
    await app.stalled(LARGE, 'acct_b', 'POST');
    for (let n = 0; n < 10; n += 1) await app.stalled(LARGE, 'acct_a', 'POST');
    await until(() => executed === 11);
    go();
    await until(() => app.cuts().length === 7 && app.connections() === 4);
    expect(new Set(app.cuts())).toEqual(new Set(['its account takes too few of its answers']));
  });

  test('count also while they wait behind others of their connection', async () => {
    await start({});
    await app.stalled(LARGE, 'acct_a', 'POST', 10);
    await until(() => app.connections() === 0);
    expect(await status(LARGE, 'acct_a')).toEqual([200, undefined]);
  });

  test('leave the next response of their connection its full time once they are read', async () => {
    await start({ stalledMs: 1_500 });
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    barrier = () => (executed === 2 ? held : undefined);
    const socket = await unread();
    socket.write('POST /v1/invoices/small/submit HTTP/1.1\r\nHost: x\r\nX-Account: acct_a\r\n\r\n');
    await until(() => executed === 2);
    let [taken, end] = [0, ''];
    socket.on('data', (piece: Buffer) => {
      taken += piece.length;
      end = piece.toString().slice(-100);
    });
    socket.resume();
    await until(() => taken > text.length);
    await systemClock.sleep(4_000);
    go();
    await until(() => end.endsWith('{"id":"small"}') || app.connections() === 0);
    expect([app.cuts(), app.connections()]).toEqual([[], 1]);
  });

  test('end after a time limit', async () => {
    await start({ longestMs: 300 });
    await unread();
    await until(() => app.connections() === 0);
    expect(app.cuts()).toEqual(['it took too long']);
  });
});

describe('unread responses that are passed on from another process', () => {
  const PASSED_ON = '/v1/invoices/passed-on/submit';
  const KIB = 1024;

  test('delay the next requests of their account, which then get 503 unexecuted; other accounts are served', async () => {
    await start({ unreadPerAccount: 768 * KIB });
    for (let n = 1; n <= 5; n += 1) {
      await app.stalled(PASSED_ON, 'acct_a', 'POST');
      await until(() => executed === n); // from the fourth on with a permit
    }
    expect(await status('/v1/invoices/small/submit', 'acct_a')).toEqual([503, '5']);
    expect(executed).toBe(5);
    expect(await status(PASSED_ON, 'acct_b')).toEqual([200, undefined]);
    expect(app.cuts()).toEqual([]);
  });

  test('of concurrent requests are cut as far as they exceed the limit of the account', async () => {
    await start({ unreadPerAccount: 512 * KIB });
    let go = (): void => undefined;
    const all = new Promise<void>((resolve) => (go = resolve));
    barrier = () => all;
    for (let n = 0; n < 10; n += 1) await app.stalled(PASSED_ON, 'acct_a', 'POST');
    await until(() => executed === 10);
    go();
    await until(() => app.cuts().length === 6 && app.connections() === 4);
    expect(new Set(app.cuts())).toEqual(new Set(['its account takes too few of its answers']));
  });
});
