import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { responseProblems } from '@svc/contracts/testing/validate-response';
import type { RouteName } from '@svc/contracts/routes';
import { createProjections, PROJECTIONS } from '@svc/event-store';
import { createApp, fastifyOf } from '@svc/service';
import { CONTEXT } from '../context.ts';
import { documentTypes } from '../document-types.ts';
import { createCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem } from './open-system.ts';

@Module({})
class Served {}

const types = Object.values(documentTypes);

/** Serves all documents of one account over HTTP, without gateway and workers. */
export function serve(account?: string) {
  const folder = dataFolder();
  const system = openSystem(folder.path);
  const projections = createProjections(system.documents, system.subscribing);
  const running = types.map(({ projection }) => projections.start(projection as never));
  const providers = [
    { provide: CONTEXT, useValue: system.context },
    { provide: PROJECTIONS, useValue: projections },
  ];
  const module: DynamicModule = { module: Served, controllers: types.map(({ controller }) => controller), providers };
  let app: NestFastifyApplication;

  async function call(name: RouteName, { id = '', pay = '', body, headers = {}, query = '' }: Asked = {}) {
    const [method, path = ''] = name.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string];
    const url = `/v1${path.replace('{id}', id).replace('{pay}', pay)}${query && `?${query}`}`;
    const answer = await fastifyOf(app).inject({ method, url, headers, ...(body ? { payload: body } : {}) });
    const parsed = answer.json() as Record<string, unknown>;
    expect(responseProblems(name, answer.statusCode, parsed)).toEqual([]);
    return { status: answer.statusCode, body: parsed, headers: answer.headers };
  }

  return {
    system,
    call,
    customer: async () =>
      (await createCustomer({ context: system.context, customers: system.customers, identity: callerOf(system, account) }, { name: 'Jo' }))
        .id,
    async start() {
      app = await createApp(module, { logger: system.logger });
      fastifyOf(app).addHook('onRequest', async (request) => {
        request.identity = callerOf(system, account);
        const { page = 1, per_page = 20, ...filters } = request.query as Record<string, string>;
        request.query = { page: Number(page), per_page: Number(per_page), ...filters };
      });
      await app.init();
      await fastifyOf(app).ready();
    },
    async stop() {
      await app.close();
      await Promise.all(running.map(({ subscription }) => subscription.stop()));
      system.engine.close();
      folder.remove();
    },
  };
}

export interface Asked {
  id?: string;
  pay?: string;
  body?: object;
  headers?: Record<string, string>;
  query?: string;
}
