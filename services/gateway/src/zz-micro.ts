import 'reflect-metadata';
import { systemClock as clock, createIds } from '@svc/kernel';
import { createLogger } from '@svc/service-kit';
import { routeNames } from '@svc/contracts/http/routes';
import { memoryLimiter } from './limiter/memory.ts';
import { createGate } from './edge/gate.ts';
import { createLimits } from './edge/limits.ts';
import { trustedProxies } from './edge/proxies.ts';
import { createRecognizer } from './accounts/recognize.ts';
import { newKeyValue } from './accounts/key-format.ts';
import { createLastUsed } from './accounts/last-used.ts';
import { EdgeApp } from './testing/edge-app.ts';
const edge = await EdgeApp.start();
const { testKey } = await edge.account();
void newKeyValue; void createRecognizer; void createLastUsed;
const fail = (...args: unknown[]) => { throw args[3]; };
const limits = createLimits(memoryLimiter(clock), clock, fail as never);
const gate = createGate({ ...edge.gateway, clock: clock as never, ids: createIds(clock), hosts: new Map(), requireHttps: false, limits, proxies: trustedProxies(['loopback']), served: () => new Set(routeNames), fail: fail as never });
class Reply { h: Record<string, unknown> = {}; header(k: string, v: unknown) { this.h[k.toLowerCase()] = v; return this; } headers(o: Record<string, unknown>) { for (const k of Object.keys(o)) this.header(k, o[k]); return this; } }
await edge.caller(testKey)('GET', '/v1/account');
let gone = 0;
const once = () => {
  const request = { raw: { url: '/v1/invoices' }, headers: { host: 'x', authorization: `Bearer ${testKey}`.slice(0) }, method: 'GET', passage: null, identity: null };
  gate.enter(request as never, new Reply() as never, '/invoices', () => { gone += 1; });
};
let best = Infinity;
const results: string[] = [];
for (let r = 0; r < 40; r += 1) {
  const n = 20000; const start = process.cpuUsage();
  for (let i = 0; i < n; i += 1) once();
  const { user, system } = process.cpuUsage(start);
  best = Math.min(best, (user + system) / n); results.push(((user + system) / n).toFixed(2));
}
console.log('gate µs', best, gone, results.join(' '));
const ids = createIds(clock);
best = Infinity; for (let r = 0; r < 20; r += 1) { const s = process.cpuUsage(); for (let i = 0; i < 20000; i += 1) ids.next(); const { user, system } = process.cpuUsage(s); best = Math.min(best, (user + system) / 20000); }
console.log('ids µs', best);
process.exit(0);
