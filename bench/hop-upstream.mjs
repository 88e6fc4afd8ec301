// A service behind the gateway that only returns an invoice of three lines: the hop has its largest share of the cost.
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { Controller, Module } from '@nestjs/common';
import { systemClock as clock } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, internalKeys, Serves, useInternalIdentity } from '@svc/service';

const { PORT, INTERNAL_KEYS, AUDIENCE, ANSWER } = process.env;
const answer = JSON.parse(readFileSync(ANSWER, 'utf8'));

class Idle {
  read() {
    return answer;
  }
  create() {
    return answer;
  }
}
const serve = (name, method) => Serves(name)(Idle.prototype, method, Object.getOwnPropertyDescriptor(Idle.prototype, method));
serve('GET /webhooks/{id}', 'read');
serve('POST /webhooks', 'create');
Controller()(Idle);
class App {}
Module({ controllers: [Idle] })(App);

const app = await createApp(App, { logger: createLogger({ level: 'silent', service: 'bench' }) });
useInternalIdentity(fastifyOf(app), { keys: internalKeys(INTERNAL_KEYS), audience: AUDIENCE, clock });
await app.listen(Number(PORT), '127.0.0.1');
