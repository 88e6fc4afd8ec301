import { Storage } from '../embedded/storage.ts';
import { Exchanges } from './exchanges.ts';
import { xmlReply } from './wire.ts';

test('the oldest exchanges go when there are too many bytes, and numbers go on', async () => {
  const storage = new Storage(':memory:', { sync: null });
  const exchanges = new Exchanges(storage, 1_000);
  const request = { method: 'POST', path: '/', headers: {}, body: Buffer.alloc(200), isTooLarge: false, clientCertificate: undefined };
  for (let n = 1; n <= 20; n += 1)
    await storage.write(() =>
      exchanges.record('al-cis', '', request, { operation: '', fault: null, reply: xmlReply(200, 'x'.repeat(50)) }),
    );
  const { data, last } = await exchanges.page('al-cis', 0, 500);
  expect([data.map((row) => (row as { n: number }).n), last]).toEqual([[17, 18, 19, 20], 20]);
  storage.close();
});
