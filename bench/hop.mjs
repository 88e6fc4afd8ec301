// Row 9: the cost of the gateway's hop. Sends the same requests to the gateway and, with a prepared identity token, directly to the service:
// to invoicing, for which there is a goal, and to a service that only answers, which shows the hop alone. All processes share one
// processor, so that rates are proportional to CPU time.
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds, prefixed, systemClock as clock } from '@svc/kernel';
import { createIdentitySigner, internalKeys } from '@svc/service';
import { load, median, sleep } from './load.mjs';
import { sendJson, startServer } from './server.mjs';
import { withServers } from './servers.mjs';
import { startServices } from './services.mjs';

const ROUNDS = 5;
const GOAL = 0.45;
const items = Array(3).fill({ description: 'Consulting', quantity: 2, unit_price: 50.25, tax_rate: 20 });
const json = { 'content-type': 'application/json' };
const ids = createIds(clock);

/** The gateway with invoicing and a service that only answers as upstreams, and an account with limits that are never reached. */
async function system(servers, folder, running) {
  const started = await startServices(servers, ['gateway', 'invoicing']);
  const { invoicing, gateway } = started.processes;
  running.push(started);
  const { url, key, account } = await started.addAccount();
  const { invoicing: invoicingUrl, 'webhooks-dispatcher': idleUrl } = started.urls;
  const customer = await sendJson(`${url}/v1/customers`, key, { name: 'Bench' });
  const body = { customer_id: customer.id, currency: 'EUR', items };
  const invoice = await sendJson(`${url}/v1/invoices`, key, body);
  const answer = join(folder, 'answer.json');
  writeFileSync(answer, JSON.stringify(invoice));
  const idle = await startServer(join(import.meta.dirname, 'hop-upstream.mjs'), {
    env: { PORT: new URL(idleUrl).port, INTERNAL_KEYS: started.internalKeys, AUDIENCE: 'webhooks-dispatcher', ANSWER: answer },
    ready: async () => (await fetch(idleUrl)).status === 404,
  });
  running.push(idle);
  const sign = createIdentitySigner(internalKeys(started.internalKeys), clock);
  const token = (audience) =>
    sign(
      {
        ...{ account, env: 'test', permissions: ['*'], actor: { type: 'api_key', id: 'key_1' } },
        ...{ requestId: prefixed('req', ids.next()), commandId: ids.next() },
      },
      audience,
    );
  return { gateway, invoicing, idle, url, invoicingUrl, idleUrl, key, token, invoice, body };
}

/** Each request in both forms, through the gateway and direct: `[name, options]`. */
function casesOf({ gateway, invoicing, idle, url, invoicingUrl, idleUrl, key, token, invoice, body }) {
  const both = (upstream, audience, upstreamUrl, path, more) => {
    // Every request has its own command id, as through the gateway.
    const vary = (request) => ({ ...request, headers: { ...request.headers, 'x-svc-identity': token(audience) } });
    return {
      direct: { processes: [upstream], options: { url: `${upstreamUrl}/v1${path}`, ...more, headers: { ...more.headers }, vary } },
      hop: {
        processes: [gateway, upstream],
        options: {
          url: `${url}/v1${path}`,
          ...more,
          headers: { ...more.headers, authorization: `Bearer ${key}` },
          vary: (request) => request,
        },
      },
    };
  };
  const post = (sent) => ({ method: 'POST', headers: json, body: JSON.stringify(sent) });
  const endpoint = { url: 'https://example.com/hook', events: ['*'] };
  return {
    'GET invoice': both(invoicing, 'invoicing', invoicingUrl, `/invoices/${invoice.id}`, {}),
    'POST invoice': both(invoicing, 'invoicing', invoicingUrl, '/invoices', post(body)),
    'GET, no work': both(idle, 'webhooks-dispatcher', idleUrl, '/webhooks/we_1', {}),
    'POST, no work': both(idle, 'webhooks-dispatcher', idleUrl, '/webhooks', post(endpoint)),
  };
}

async function once({ processes, options }, seconds) {
  const before = processes.map((process) => process.cpu());
  const together = {
    cpu: () => processes.reduce((sum, process) => sum + process.cpu(), 0),
    isBusy: () => processes.some((process) => process.isBusy()),
  };
  const result = await load(together, { ...options, seconds });
  const parts = processes.map((process, n) => Math.round((process.cpu() - before[n]) / result.requests));
  return { ...result, parts, wrong: result.wrong + (result.requests === 0 ? 1 : 0) };
}

async function measure(cases) {
  const rounds = Object.fromEntries(Object.keys(cases).map((name) => [name, { direct: [], hop: [] }]));
  for (const ways of Object.values(cases)) for (const way of Object.values(ways)) await once(way, 1);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, ways] of Object.entries(cases))
      for (const [way, asked] of Object.entries(ways)) {
        rounds[name][way].push(await once(asked, 2));
        await sleep(300); // background work of this case must not count for the next
      }
  return rounds;
}

function rowsOf(rounds) {
  const of = (results, field) => median(results.map((result) => result[field]));
  const ratio = ({ direct, hop }, field) => median(hop.map((result, n) => result[field] / direct[n][field]));
  const cases = Object.entries(rounds).flatMap(([name, ways]) =>
    Object.entries(ways).map(([way, results]) => ({
      figure: `case ${name}, ${way}`,
      value: of(results, 'perSecond'),
      goal: '',
      ok: true,
      cpuMicros: Math.round(of(results, 'cpuMicros')),
      each: results[0].parts.map((_part, n) => Math.round(median(results.map(({ parts }) => parts[n])))).join(' + '),
      p50: of(results, 'p50'),
      p99: of(results, 'p99'),
    })),
  );
  const ratios = Object.entries(rounds).flatMap(([name, ways]) => {
    const [cpu, rate] = [1 / ratio(ways, 'cpuMicros'), ratio(ways, 'perSecond')];
    const judged = name.endsWith('invoice') ? { goal: `>= ${GOAL}`, ok: cpu >= GOAL * 0.75 } : { goal: '', ok: true };
    return [
      { figure: `9 hop ÷ direct, ${name} (CPU)`, value: cpu, ...judged },
      { figure: `9 hop ÷ direct, ${name} (rate)`, value: rate, goal: '', ok: true },
    ];
  });
  const all = Object.values(rounds).flatMap(({ direct, hop }) => [...direct, ...hop]);
  const wrong = all.reduce((sum, result) => sum + result.wrong, 0);
  return [...cases, ...ratios, { figure: 'answers that were not 2xx', value: wrong, goal: '0', ok: wrong === 0 }];
}

export const run = () =>
  withServers(async (servers) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-hop-'));
    const running = [];
    try {
      return rowsOf(await measure(casesOf(await system(servers, folder, running))));
    } finally {
      for (const one of running.reverse()) await one.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
