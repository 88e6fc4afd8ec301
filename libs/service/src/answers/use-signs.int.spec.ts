import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { systemClock } from '@svc/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createApp, createLogger, fastifyOf, Serves, SIGNS_HEADER, useSigns } from '../index.ts';

/** Time for two signs, and for a third one in part. */
const WAITS_MS = 2_600;

@Controller()
class Answers {
  @Serves('GET /customers')
  async late() {
    await systemClock.sleep(WAITS_MS);
    return { object: 'list' } as never;
  }
}
@Module({ controllers: [Answers] })
class AnswersModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createApp(AnswersModule, { logger: createLogger({ level: 'silent', service: 'test' }) });
  const fastify = fastifyOf(app);
  fastify.get('/begun', async (_request: FastifyRequest, { raw }: FastifyReply) => {
    raw.write('{');
    await systemClock.sleep(WAITS_MS);
    raw.end('}');
  });
  useSigns(fastify);
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

interface Asked {
  signs: number[];
  status: number | undefined;
  /** What the response says of signs. */
  has: unknown;
  body: string;
}

async function ask(path: string, headers: Record<string, string>): Promise<Asked> {
  const { port } = fastifyOf(app).server.address() as { port: number };
  const signs: number[] = [];
  const request = get({ host: '127.0.0.1', port, path, agent: false, headers }).on('information', ({ statusCode }) =>
    signs.push(statusCode),
  );
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response) body += String(piece);
  return { signs, status: response.statusCode, has: response.headers[SIGNS_HEADER], body };
}

test('a request that waits has a sign of life each second, and then its response; one that has not asked for signs has none', async () => {
  const [one, other] = await Promise.all([ask('/v1/customers', { [SIGNS_HEADER]: '1' }), ask('/v1/customers', {})]);
  expect([one.status, one.body, one.has, one.signs.length >= 2, new Set(one.signs)]).toEqual([
    ...[200, '{"object":"list"}', '1', true],
    new Set([102]),
  ]);
  expect([other.status, other.signs, other.has]).toEqual([200, [], undefined]);
});

test('a response that has begun has no signs in it', async () => {
  expect(await ask('/begun', { [SIGNS_HEADER]: '1' })).toMatchObject({ signs: [], status: 200, body: '{}' });
});
