import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { responseProblems } from '@svc/contracts/testing/validate-response';
import type { RouteName } from '@svc/contracts/routes';
import { createProjections, PROJECTIONS } from '@svc/event-store';
import { createApp, fastifyOf } from '@svc/service';
import { CONTEXT } from '../context.ts';
import { documentTypes } from '../document-types.ts';
import { CUSTOMERS, CustomersController } from '../customer/http.ts';
import { createCustomer } from '../customer/write.ts';
import { createFiles, FILES } from '../files/files.ts';
import { FilesController } from '../files/http.ts';
import { IS_WAITING, ISSUERS, IssuerController } from '../issuer/http.ts';
import { PRODUCTS, ProductsController } from '../product/http.ts';
import { createRenderer } from '@svc/document-files/renderer';
import { openDocuments } from '../open-documents.ts';
import { servedProjections, termsSources } from '../registrations.ts';
import { createTerms, TERMS } from '../terms/list-terms.ts';
import { callerOf, dataFolder, openSystem, secrets } from './open-system.ts';
import { validQuery } from './valid-query.ts';

@Module({})
class Served {}

const types = Object.values(documentTypes);

/** Serves all documents, customers, products and the issuer of one account over HTTP, without gateway and workers. */
export function serve({ account, folder = dataFolder() }: { account?: string; folder?: ReturnType<typeof dataFolder> } = {}) {
  const system = openSystem(folder.path);
  const projections = createProjections(system.documents, system.subscribing);
  const running = servedProjections.map((projection) => projections.start(projection as never));
  const terms = createTerms(system.documents, system.subscribing, termsSources);
  const subscriptions = [...running.map(({ subscription }) => subscription), terms.start()];
  const { context, clock, logger } = system;
  const renderer = createRenderer({ clock, logger });
  const providers = [
    { provide: FILES, useValue: createFiles({ context, secrets, renderer, documentTypes }) },
    { provide: CONTEXT, useValue: system.context },
    { provide: PROJECTIONS, useValue: projections },
    { provide: TERMS, useValue: terms },
    { provide: CUSTOMERS, useValue: system.customers },
    { provide: PRODUCTS, useValue: system.products },
    { provide: ISSUERS, useValue: system.issuers },
    { provide: IS_WAITING, useValue: openDocuments(projections) },
  ];
  const controllers = [
    ...types.map(({ controller }) => controller),
    CustomersController,
    ProductsController,
    IssuerController,
    FilesController,
  ];
  const module: DynamicModule = { module: Served, controllers, providers };
  let app: NestFastifyApplication;

  async function call(name: RouteName, { id = '', pay = '', body, headers = {}, query = '', commandId }: Asked = {}) {
    const [method, path = ''] = name.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string];
    const url = `/v1${path.replace('{id}', id).replace('{pay}', pay)}${query && `?${query}`}`;
    const answer = await fastifyOf(app).inject({
      ...{ method, url, headers: { ...headers, ...(commandId && { [COMMAND]: commandId }) } },
      ...(body ? { payload: body } : {}),
    });
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
        const commandId = request.headers[COMMAND];
        request.identity = { ...callerOf(system, account), ...(typeof commandId === 'string' && { commandId }) };
        request.query = validQuery(request);
      });
      await app.init();
      await fastifyOf(app).ready();
    },
    async stop() {
      await app.close();
      await renderer.close();
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
      system.engine.close();
      folder.remove();
    },
    /** The process dies: what is not stored is lost, and who waits is not answered. Its folder stays. */
    async crash() {
      system.engine.abandon();
      // A projection whose write the engine has dropped waits for it for ever, and so would its stop.
      for (const subscription of subscriptions) void subscription.stop().catch(() => undefined);
      await app.close();
    },
  };
}

/** Carries the command id that the gateway gives to every request under one Idempotency-Key. */
const COMMAND = 'x-test-command';

export interface Asked {
  id?: string;
  pay?: string;
  body?: object;
  headers?: Record<string, string>;
  query?: string;
  /** A repeated one makes the request a repeat. */
  commandId?: string;
}
