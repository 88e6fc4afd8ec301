import { Module } from '@nestjs/common';
import { StoredBytesRequest } from '@svc/contracts/account/stored-bytes';
import { systemClock as clock } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, type InternalRoute, useInternalRoutes } from '@svc/service';
import { sharedKeys as keys } from '../testing/stub-upstream.ts';
import { storedBytesAt } from './ask-service.ts';

@Module({})
class Invoicing {}

const logger = createLogger({ level: 'silent', service: 'test' });
const route: InternalRoute<StoredBytesRequest> = {
  path: '/internal/stored-bytes',
  body: StoredBytesRequest,
  answer: async ({ accounts }) => ({ bytes: Object.fromEntries(accounts.map((account, n) => [account, n])) }),
};

/** Its pauses between attempts are a fiftieth. */
const quick = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms / 50, signal) };

/** A replica of invoicing that knows these questions. */
async function replica(routes: InternalRoute[]) {
  const app = await createApp(Invoicing, { logger });
  useInternalRoutes(fastifyOf(app), { keys, audience: 'invoicing', clock }, routes);
  await app.listen(0, '127.0.0.1');
  const { port } = fastifyOf(app).server.address() as { port: number };
  return { origin: `http://127.0.0.1:${port}`, stop: () => app.close() };
}

test('invoicing reports to the gateway the bytes that accounts have stored', async () => {
  const { origin, stop } = await replica([route as InternalRoute]);
  const accounts = Array.from({ length: 400 }, (_, n) => `acct_01jh2k3m4n5p6q7r8s9t0v${String(n).padStart(4, '0')}`);
  const bytes = await storedBytesAt('invoicing', { origins: [origin], keys, clock, logger })(accounts);
  expect([Object.keys(bytes).length, bytes[accounts[399] as string]]).toEqual([400, 399]);
  await stop();
});

test('a replica of 0.1.0, which does not know the question, and one that is gone are no answer', async () => {
  const { origin, stop } = await replica([]);
  const ask = storedBytesAt('invoicing', { origins: [origin], keys, clock: quick, logger });
  await expect(ask(['acct_1'])).rejects.toThrow('404');
  await stop();
  await expect(ask(['acct_1'])).rejects.toThrow();
});
