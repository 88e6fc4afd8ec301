import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { responseProblems } from '@svc/contracts/testing/validate-response';
import type { RouteName } from '@svc/contracts/routes';
import { createProjections, PROJECTIONS } from '@svc/event-store';
import { createApp, fastifyOf } from '@svc/service';
import { CONTEXT } from '../context.ts';
import { createCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem } from './open-system.ts';
import { ReceiptsController } from '../receipt/http.ts';
import { receiptsProjection } from '../receipt/list.ts';
import { InvoicesController } from '../invoice/http.ts';
import { invoicesProjection } from '../invoice/list.ts';

@Module({})
class Served {}

/** Serves invoices and receipts over HTTP, without gateway and workers. */
export function serve() {
  const folder = dataFolder();
  const system = openSystem(folder.path);
  const projections = createProjections(system.documents, system.subscribing);
  const running = [invoicesProjection, receiptsProjection].map((projection) => projections.start(projection as never));
  const providers = [
    { provide: CONTEXT, useValue: system.context },
    { provide: PROJECTIONS, useValue: projections },
  ];
  const module: DynamicModule = { module: Served, controllers: [InvoicesController, ReceiptsController], providers };
  let app: NestFastifyApplication;

  async function call(name: RouteName, { id = '', body, headers = {}, query = '' }: Asked = {}) {
    const [method, path = ''] = name.split(' ') as ['GET' | 'POST' | 'PATCH', string];
    const url = `/v1${path.replace('{id}', id)}${query && `?${query}`}`;
    const answer = await fastifyOf(app).inject({ method, url, headers, ...(body ? { payload: body } : {}) });
    const parsed = answer.json() as Record<string, unknown>;
    expect(responseProblems(name, answer.statusCode, parsed)).toEqual([]);
    return { status: answer.statusCode, body: parsed, headers: answer.headers };
  }

  return {
    system,
    call,
    customer: async () =>
      (await createCustomer({ context: system.context, customers: system.customers, identity: callerOf(system) }, { name: 'Jo' })).id,
    async start() {
      app = await createApp(module, { logger: system.logger });
      fastifyOf(app).addHook('onRequest', async (request) => {
        request.identity = callerOf(system);
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
  body?: object;
  headers?: Record<string, string>;
  query?: string;
}
