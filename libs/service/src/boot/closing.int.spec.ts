import { Controller, Module } from '@nestjs/common';
import { createApp, createLogger, Serves } from '../index.ts';

let reached: () => void;
const inHand = new Promise<void>((resolve) => (reached = resolve));
let finish: () => void;
const finished = new Promise<void>((resolve) => (finish = resolve));

@Controller()
class Slow {
  @Serves('GET /account')
  async account() {
    reached();
    await finished;
    return { id: 'acct_1' } as never;
  }

  @Serves('GET /products')
  async products() {
    return {} as never;
  }
}

@Module({ controllers: [Slow] })
class SlowModule {}

test('close answers open requests, does not wait for idle connections, and accepts no new ones', async () => {
  const app = await createApp(SlowModule, { logger: createLogger({ level: 'silent', service: 'test' }) });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  await (await fetch(`${url}/v1/products`)).text(); // leaves an idle connection
  const answer = fetch(`${url}/v1/account`);
  await inHand;
  const closed = app.close();
  finish();
  const { status, headers } = await answer;
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  await closed;
  await expect(fetch(`${url}/v1/products`)).rejects.toThrow();
});
