import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeClock } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createSend } from '../sending/send.ts';
import { createQueues } from './queues.ts';

const AT_ONCE = 64;
const IN_ALL = 10 * AT_ONCE;

test('an attempt uses the connection of the one before it: an endpoint has no more connections than attempts in flight', async () => {
  let [connections, received] = [0, 0];
  const server = createServer((_, response) => {
    received += 1;
    response.end();
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new FakeClock();
  const { send, close } = createSend({ clock, resolve: async () => [], allowed: new Set([origin]) });
  const queues = createQueues<{ _id: string; account: string; endpoint_id: string }>({
    pacing: { waitMs: () => 0, begin: () => false, within: () => Infinity },
    after: clock.after.bind(clock),
    waitingBytes: () => 0,
    bodyBytes: () => 0,
    since: () => 0,
    async run({ account }) {
      const { status } = await send({ account, url: `${origin}/hook`, headers: {}, body: Buffer.from('{}') });
      return status === 200 ? 'succeeded' : 'failed';
    },
    refill: () => undefined,
  });
  queues.add(Array.from({ length: IN_ALL }, (_, n) => ({ _id: String(n), account: 'acct_1', endpoint_id: 'we_1' })));
  await until(() => received === IN_ALL);
  expect(connections).toBe(AT_ONCE);
  queues.stop();
  await queues.drain();
  await close();
  await new Promise((resolve) => server.close(resolve));
});
