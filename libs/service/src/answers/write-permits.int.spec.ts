import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Controller, Module } from '@nestjs/common';
import { settleTurns, systemClock } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import { fastifyOf, Serves } from '../index.ts';
import { openAnswers, until } from './testing/answers-app.ts';
import { useWritePermits } from './use-write-permits.ts';

/** The writes under way, by account in the order in which they began. */
let begun: string[];
let ends: (() => void)[];
let waits: boolean;

@Controller()
class Writes {
  @Serves('DELETE /customers/{id}')
  async write(request: FastifyRequest) {
    begun.push(request.identity?.account ?? '');
    if (waits) request.releasePermit();
    await new Promise<void>((resolve) => ends.push(resolve));
    return { id: 'cust_1' } as never;
  }

  @Serves('GET /customers/{id}')
  read() {
    return { id: 'cust_1' } as never;
  }
}
@Module({ controllers: [Writes] })
class WritesModule {}

let app: Awaited<ReturnType<typeof openAnswers>>;
beforeAll(async () => {
  app = await openAnswers(WritesModule, {}, (nest) =>
    useWritePermits(fastifyOf(nest), { limits: { perAccount: 2, inAll: 4 }, clock: systemClock }),
  );
});
afterAll(() => app.close());
beforeEach(() => {
  [begun, ends, waits] = [[], [], false];
});

const write = (account: string) => app.open('/v1/customers/cust_1', account, 'DELETE');
const writes = (account: string, count: number) => Array.from({ length: count }, () => write(account));
const endOne = (): void => ends.shift()?.();

async function endAll(answers: readonly Promise<IncomingMessage>[]): Promise<number[]> {
  const ending = setInterval(endOne, 1);
  const all = await Promise.all(answers);
  clearInterval(ending);
  all.forEach((answer) => answer.resume());
  return all.map(({ statusCode }) => statusCode ?? 0);
}

test('the single write of another account is not behind a burst', async () => {
  const burst = writes('acct_a', 20);
  await until(() => begun.length === 2);
  await settleTurns(20);
  expect(begun).toEqual(['acct_a', 'acct_a']);
  const other = write('acct_b');
  await until(() => begun.length === 3);
  expect(begun.at(-1)).toBe('acct_b');
  expect(await endAll([...burst, other])).toEqual(Array.from({ length: 21 }, () => 200));
});

test('accounts are served in rotation while all permits are taken', async () => {
  const all = [...writes('acct_a', 10), ...writes('acct_b', 10), ...writes('acct_c', 10)];
  await until(() => begun.length >= 3);
  expect(await endAll(all)).toEqual(all.map(() => 200));
  const firstHalf = begun.slice(0, 15);
  expect(['acct_a', 'acct_b', 'acct_c'].map((account) => firstHalf.filter((one) => one === account).length >= 4)).toEqual([
    true,
    true,
    true,
  ]);
});

test('a write that waits for an outcome holds no permit, and a read needs none', async () => {
  waits = true;
  const waiting = writes('acct_a', 10);
  await until(() => begun.length === 10);
  const [read] = await once((await app.open('/v1/customers/cust_1', 'acct_a')).resume(), 'end').then(() => ['read']);
  expect(read).toBe('read');
  expect(await endAll(waiting)).toEqual(waiting.map(() => 200));
});

test('a caller that goes gives its permit and its turn back', async () => {
  const gone = await Promise.all([
    app.stalled('/v1/customers/cust_1', 'acct_a', 'DELETE'),
    app.stalled('/v1/customers/cust_1', 'acct_a', 'DELETE'),
  ]);
  await until(() => begun.length === 2);
  const next = write('acct_a');
  await settleTurns(20);
  expect(begun).toHaveLength(2);
  gone.forEach((socket) => socket.destroy());
  await until(() => begun.length === 3);
  expect(await endAll([next])).toEqual([200]);
});
