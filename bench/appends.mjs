// Appends per second of the EventStoreDB adapter, compared with `appendToStream` of the client library: the same events, each at an exact
// revision, on the server at EVENT_STORE_URL or else on the emulator, which is started here. Rounds alternate, so that both run under the same load.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { openEventStoreDb } from '@svc/event-store/eventstoredb/open';
import { createIds, systemClock, toUuid } from '@svc/kernel';
import { median } from './load.mjs';

const emulator = join(import.meta.dirname, '../rig/eventstoredb/dist/main.js');
const ROUNDS = 5;
const SECONDS = 1.5;
const IN_FLIGHT = [1, 16, 64];
const ids = createIds(systemClock);
const items = Array(3).fill({ description: 'Consulting '.repeat(12), quantity: 2, unit_price: '50.25', tax_rate: '20' });

async function startEmulator() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-appends-'));
  const child = spawn(process.execPath, [emulator, '--data', join(folder, 'events.log'), '--port', '0', '--grace-ms', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  async function stop() {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true });
  }
  return { url: line.replace('ready: ', ''), stop };
}

/** Calls `append` without a pause, this many at a time. */
async function load(append, inFlight, seconds) {
  const times = [];
  let failed = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;
  const worker = async () => {
    while (performance.now() < end) {
      const at = performance.now();
      await append(`invoice-test.bench.${ids.next()}`, {
        id: ids.next(),
        type: 'InvoiceCreated',
        data: { items },
        metadata: { v: 1, account: 'acct_bench', env: 'test', command_id: ids.next() },
      }).then(
        () => times.push(performance.now() - at),
        () => (failed += 1),
      );
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / ((performance.now() - start) / 1000),
    cpuMicros: (user + system) / Math.max(1, times.length),
    p50: times[Math.floor(times.length * 0.5)] ?? NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? NaN,
    failed,
  };
}

export async function run() {
  const server = process.env.EVENT_STORE_URL ? { url: process.env.EVENT_STORE_URL, stop: async () => undefined } : await startEmulator();
  const namespace = ids.next().slice(-16);
  const adapter = openEventStoreDb({ url: server.url, namespace, clock: systemClock, logger: console });
  const client = EventStoreDBClient.connectionString(server.url);
  const cases = {
    adapter: (stream, event) => adapter.store.append(stream, 'none', [event]),
    client: (stream, { id, ...event }) =>
      client.appendToStream(`${namespace}_${stream}`, [jsonEvent({ id: toUuid(id), ...event })], { expectedRevision: NO_STREAM }),
  };

  const rounds = [];
  for (const append of Object.values(cases)) await load(append, 16, 1);
  for (const inFlight of IN_FLIGHT)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, append] of Object.entries(cases))
        rounds.push({ name, inFlight, round, ...(await load(append, inFlight, SECONDS)) });
  await adapter.close();
  await client.dispose();
  await server.stop();

  const of = (name, inFlight) => rounds.filter((each) => each.name === name && each.inFlight === inFlight);
  const mid = (name, inFlight, field) => Number(median(of(name, inFlight).map((each) => each[field])).toPrecision(4));
  const ratio = (inFlight, field) => median(of('adapter', inFlight).map((each, n) => each[field] / of('client', inFlight)[n][field]));
  const failed = rounds.reduce((sum, each) => sum + each.failed, 0);
  return [
    ...IN_FLIGHT.flatMap((inFlight) =>
      Object.keys(cases).map((name) => ({
        figure: `appends/s, ${name}, ${inFlight} in flight`,
        value: mid(name, inFlight, 'perSecond'),
        goal: '',
        ok: true,
        cpuMicros: Math.round(mid(name, inFlight, 'cpuMicros')),
        p50: mid(name, inFlight, 'p50'),
        p99: mid(name, inFlight, 'p99'),
      })),
    ),
    ...IN_FLIGHT.flatMap((inFlight) => [
      { figure: `adapter ÷ client, ${inFlight} in flight (rate)`, value: ratio(inFlight, 'perSecond'), goal: '', ok: true },
      { figure: `adapter ÷ client, ${inFlight} in flight (CPU)`, value: ratio(inFlight, 'cpuMicros'), goal: '', ok: true },
    ]),
    { figure: 'appends that failed', value: failed, goal: '0', ok: failed === 0 },
  ];
}
