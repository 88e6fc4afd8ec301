import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { responseProblems } from '@svc/contracts/testing/validate-response';
import type { RouteName } from '@svc/contracts/routes';
import { createProjections, PROJECTIONS } from '@svc/event-store';
import { createApp, fastifyOf } from '@svc/service';
import { CONTEXT } from '../context.ts';
import { documentTypes } from '../document-types.ts';
import { createCustomer } from '../customer/write.ts';
import { createFiles, FILES } from '../files/files.ts';
import { FilesController } from '../files/http.ts';
import { createLinks } from '../files/links.ts';
import { createRenderer } from '../rendering/renderer.ts';
import { callerOf, dataFolder, openSystem, secrets } from './open-system.ts';

@Module({})
class Served {}

const types = Object.values(documentTypes);

/** Serves all documents of one account over HTTP, without gateway and workers. */
export function serve(account?: string) {
  const folder = dataFolder();
  const system = openSystem(folder.path);
  const projections = createProjections(system.documents, system.subscribing);
  const running = types.map(({ projection }) => projections.start(projection as never));
  const { context, clock, logger } = system;
  const renderer = createRenderer({ clock, logger });
  const links = createLinks({ secrets, publicUrl: context.publicUrl, clock });
  const providers = [
    { provide: FILES, useValue: createFiles({ context, links, renderer, documentTypes }) },
    { provide: CONTEXT, useValue: system.context },
    { provide: PROJECTIONS, useValue: projections },
  ];
  const module: DynamicModule = { module: Served, controllers: [...types.map(({ controller }) => controller), FilesController], providers };
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
    /** Opens the link of an answer. */
    open: (url: unknown) => fastifyOf(app).inject(new URL(String(url)).pathname),
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
      await renderer.close();
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
