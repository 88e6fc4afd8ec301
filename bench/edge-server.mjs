// A server with one route whose handler does nothing, with the edge (EDGE=1) or without: the difference is the cost of the edge.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Module } from '@nestjs/common';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { ensureDemoAccount, GATEWAY, GatewayModule, memoryLimiter, useEdge } from '@svc/gateway';
import { createIds, systemClock as clock } from '@svc/kernel';
import { createApp, createLogger, Health, newKeyRing, parseKeyRing, servedRoutes, Serves } from '@svc/service';

class Idle {
  answer() {
    return { object: 'nothing' };
  }
}
Serves('GET /event-types')(Idle.prototype, 'answer', Object.getOwnPropertyDescriptor(Idle.prototype, 'answer'));
Controller()(Idle);
class App {}
const logger = createLogger({ level: 'silent', service: 'bench' });
const edge = process.env.EDGE === '1';
const engine = Engine.open(process.env.FOLDER);
const documents = embeddedDocumentStore(engine, 'svc_gateway');
const gatewayModule = () =>
  GatewayModule.forRoot({
    documents,
    limiter: memoryLimiter(clock),
    secrets: parseKeyRing(newKeyRing()),
    clock,
    ids: createIds(clock),
    logger,
    health: new Health(clock),
    publicUrl: '',
  });
Module({ controllers: [Idle], imports: edge ? [gatewayModule()] : [] })(App);
const app = await createApp(App, { logger });
if (edge) {
  const gateway = app.get(GATEWAY);
  useEdge(app, { ...gateway, hosts: new Map(), requireHttps: false, trustedProxies: [], served: () => servedRoutes(app) });
  await app.init();
  const { account_id, test_key } = await ensureDemoAccount(gateway.accounts, { plan: 'enterprise', email: 'bench@example.com' });
  const account = await gateway.accounts.store.accounts.get(account_id);
  await gateway.accounts.store.accounts.write([{ put: { ...account, version: account.version + 1, limits: { plan: 1e9, burst: 1e9 } } }]);
  writeFileSync(join(process.env.FOLDER, 'key'), test_key);
}
await app.listen(Number(process.env.PORT), '127.0.0.1');
