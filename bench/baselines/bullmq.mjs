// Deliveries as jobs of BullMQ on the Redis at REDIS_PORT: each is stored, signed, sent, and recorded as completed.
import { Queue, Worker } from 'bullmq';
import { body, deliver, IN_FLIGHT, serve } from './sending.mjs';

const AT_ONCE = 100;
const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const queue = new Queue('deliveries', { connection });
const worker = new Worker('deliveries', ({ data }) => deliver(data.body), { connection, concurrency: IN_FLIGHT });
await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);

serve(async (count) => {
  const { promise, resolve, reject } = Promise.withResolvers();
  let left = count;
  const completed = () => {
    left -= 1;
    if (left === 0) resolve();
  };
  worker.on('completed', completed).once('failed', (_job, error) => reject(error));
  for (let added = 0; added < count; added += AT_ONCE)
    await queue.addBulk(Array.from({ length: Math.min(AT_ONCE, count - added) }, () => ({ name: 'delivery', data: { body } })));
  await promise;
  worker.removeListener('completed', completed).removeAllListeners('failed');
});
