// Records how a server behaves behind @eventstore/db-client, as facts without clock or id.
// usage: node probe.mjs esdb://127.0.0.1:2113?tls=false > facts.json
import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  jsonEvent,
  binaryEvent,
  ANY,
  NO_STREAM,
  STREAM_EXISTS,
  START,
  END,
  FORWARDS,
  BACKWARDS,
  eventTypeFilter,
  streamNameFilter,
  excludeSystemEvents,
} from '@eventstore/db-client';

const client = EventStoreDBClient.connectionString(process.argv[2] ?? 'esdb://127.0.0.1:2113?tls=false');
const run = randomUUID().slice(0, 8);
const s = (name) => `probe-${run}-${name}`;
const ev = (type, data = {}, extra = {}) => jsonEvent({ type, data, ...extra });
const facts = {};
const plain = (v) => JSON.parse(JSON.stringify(v, (_, x) => (typeof x === 'bigint' ? `${x}n` : x)).replaceAll(run, 'RUN'));
const err = (e) => ({
  error: e.constructor.name,
  type: e.type,
  streamName: e.streamName?.replaceAll(run, 'RUN'),
  expectedVersion: e.expectedVersion?.toString(),
  actualVersion: e.actualVersion?.toString(),
  maxAppendSize: e.maxAppendSize,
  code: e.code,
});
async function fact(name, fn) {
  try {
    facts[name] = plain(await fn());
  } catch (e) {
    facts[name] = plain(err(e));
  }
}
const ok = (r) => ({ success: r.success, next: r.nextExpectedRevision?.toString(), hasPosition: !!r.position });
const collect = async (it, map) => {
  const out = [];
  for await (const x of it) out.push(map(x));
  return out;
};
const shape = ({ event }) => ({
  type: event.type,
  revision: event.revision.toString(),
  data: event.isJson ? event.data : [...event.data],
  metadata: event.metadata,
  isJson: event.isJson,
  hasCreated: event.created instanceof Date,
  hasPosition: !!event.position,
});
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

await fact('append new stream, NO_STREAM', async () =>
  ok(await client.appendToStream(s('a'), [ev('A'), ev('B')], { expectedRevision: NO_STREAM })),
);
await fact('append NO_STREAM to an existing stream', async () =>
  ok(await client.appendToStream(s('a'), ev('C'), { expectedRevision: NO_STREAM })),
);
await fact(
  'append NO_STREAM to an existing stream, throwOnAppendFailure false as an append option (ignored: it is a client setting)',
  async () => {
    const r = await client.appendToStream(s('a'), ev('C'), { expectedRevision: NO_STREAM, throwOnAppendFailure: false });
    return { success: r.success, next: r.nextExpectedRevision?.toString() };
  },
);
const quiet = EventStoreDBClient.connectionString(`${process.argv[2] ?? 'esdb://127.0.0.1:2113?tls=false'}&throwOnAppendFailure=false`);
await fact('client with throwOnAppendFailure=false: NO_STREAM to an existing stream at revision 1', async () => {
  const r = await quiet.appendToStream(s('a'), ev('C'), { expectedRevision: NO_STREAM });
  return { success: r.success, next: r.nextExpectedRevision?.toString(), hasPosition: !!r.position };
});
await fact('append right revision', async () => ok(await client.appendToStream(s('a'), ev('C'), { expectedRevision: 1n })));
await fact('append stale revision', async () => ok(await client.appendToStream(s('a'), ev('D'), { expectedRevision: 1n })));
await fact('append future revision', async () => ok(await client.appendToStream(s('a'), ev('D'), { expectedRevision: 9n })));
await fact('append revision to a missing stream', async () =>
  ok(await client.appendToStream(s('nope'), ev('D'), { expectedRevision: 0n })),
);
await fact('append ANY', async () => ok(await client.appendToStream(s('a'), ev('D'), { expectedRevision: ANY })));
await fact('append STREAM_EXISTS present', async () =>
  ok(await client.appendToStream(s('a'), ev('E'), { expectedRevision: STREAM_EXISTS })),
);
await fact('client with throwOnAppendFailure=false: NO_STREAM to an existing stream at revision 4 (client reports 1)', async () => {
  const r = await quiet.appendToStream(s('a'), ev('C'), { expectedRevision: NO_STREAM });
  return { success: r.success, next: r.nextExpectedRevision?.toString(), hasPosition: !!r.position };
});
await fact('client with throwOnAppendFailure=false: revision 0 to a missing stream', async () => {
  const r = await quiet.appendToStream(s('nope'), ev('C'), { expectedRevision: 0n });
  return { success: r.success, next: r.nextExpectedRevision?.toString(), hasPosition: !!r.position };
});
await fact('append STREAM_EXISTS missing', async () =>
  ok(await client.appendToStream(s('nope'), ev('E'), { expectedRevision: STREAM_EXISTS })),
);
await fact('append zero events to a new stream', async () =>
  ok(await client.appendToStream(s('zero'), [], { expectedRevision: NO_STREAM })),
);
await fact('read after zero events', async () => collect(client.readStream(s('zero')), shape));

const id1 = randomUUID(),
  id2 = randomUUID();
const twice = () => [ev('I', { n: 1 }, { id: id1 }), ev('I', { n: 2 }, { id: id2 })];
await fact('idempotent: first write, NO_STREAM', async () =>
  ok(await client.appendToStream(s('idem'), twice(), { expectedRevision: NO_STREAM })),
);
await fact('idempotent: same ids, NO_STREAM', async () =>
  ok(await client.appendToStream(s('idem'), twice(), { expectedRevision: NO_STREAM })),
);
await fact('idempotent: same ids, ANY', async () => ok(await client.appendToStream(s('idem'), twice(), { expectedRevision: ANY })));
await fact('idempotent: later event appended', async () =>
  ok(await client.appendToStream(s('idem'), ev('I', { n: 3 }), { expectedRevision: 1n })),
);
await fact('idempotent: same ids, NO_STREAM, after a later event', async () =>
  ok(await client.appendToStream(s('idem'), twice(), { expectedRevision: NO_STREAM })),
);
await fact('idempotent: subset of ids, NO_STREAM', async () =>
  ok(await client.appendToStream(s('idem'), [twice()[0]], { expectedRevision: NO_STREAM })),
);
await fact('idempotent: one old id and one new, NO_STREAM', async () =>
  ok(await client.appendToStream(s('idem'), [twice()[0], ev('I', { n: 9 })], { expectedRevision: NO_STREAM })),
);
await fact('idempotent: count', async () => (await collect(client.readStream(s('idem')), shape)).length);
await fact('same id on another stream', async () =>
  ok(await client.appendToStream(s('idem2'), [twice()[0]], { expectedRevision: NO_STREAM })),
);

await fact('50 concurrent appends at one revision: winners', async () => {
  await client.appendToStream(s('race'), ev('R0'), { expectedRevision: NO_STREAM });
  const rs = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) => client.appendToStream(s('race'), ev('R', { i }), { expectedRevision: 0n })),
  );
  const losers = rs.filter((r) => r.status === 'rejected');
  return { winners: rs.length - losers.length, loserTypes: [...new Set(losers.map((l) => l.reason.type))] };
});

await fact('read forwards', () => collect(client.readStream(s('a')), shape));
await fact('read backwards 2 from END', () =>
  collect(client.readStream(s('a'), { direction: BACKWARDS, fromRevision: END, maxCount: 2 }), shape),
);
await fact('read from revision 2', () => collect(client.readStream(s('a'), { fromRevision: 2n }), (e) => shape(e).revision));
await fact('read from a revision past the end', () => collect(client.readStream(s('a'), { fromRevision: 99n }), shape));
await fact('read backwards from START', () =>
  collect(client.readStream(s('a'), { direction: BACKWARDS, fromRevision: START }), (e) => shape(e).revision),
);
await fact('read missing stream', () => collect(client.readStream(s('missing')), shape));
await fact('read missing stream backwards', () =>
  collect(client.readStream(s('missing'), { direction: BACKWARDS, fromRevision: END, maxCount: 1 }), shape),
);

await fact('data and metadata round trip', async () => {
  await client.appendToStream(s('data'), [
    jsonEvent({
      type: 'Ünïcode',
      data: { text: 'čćž € 😀', big: 9007199254740991, dec: 0.1, nested: { a: [1, null, true] } },
      metadata: { correlation: 'c', traceparent: '00-0-0-01' },
    }),
    binaryEvent({ type: 'bin', data: new Uint8Array([0, 255, 1]) }),
    jsonEvent({ type: 'empty', data: {} }),
  ]);
  return collect(client.readStream(s('data')), shape);
});
await fact('append 2 MiB in one event', async () =>
  ok(await client.appendToStream(s('big'), ev('big', { x: 'x'.repeat(2 * 1024 * 1024) }))),
);
await fact('append over the size limit', async () =>
  ok(
    await client.appendToStream(
      s('big2'),
      Array.from({ length: 24 }, () => ev('big', { x: 'x'.repeat(900 * 1024) })),
    ),
  ),
);

await fact('soft delete then read', async () => {
  await client.appendToStream(s('del'), [ev('X'), ev('X')]);
  await client.deleteStream(s('del'));
  return collect(client.readStream(s('del')), shape);
});
await fact('soft delete then append NO_STREAM', async () =>
  ok(await client.appendToStream(s('del'), ev('Y'), { expectedRevision: NO_STREAM })),
);
await fact('soft delete then append: revisions', () => collect(client.readStream(s('del')), (e) => shape(e).revision));
await fact('tombstone then read', async () => {
  await client.appendToStream(s('tomb'), ev('X'));
  await client.tombstoneStream(s('tomb'));
  return collect(client.readStream(s('tomb')), shape);
});
await fact('tombstone then append', async () => ok(await client.appendToStream(s('tomb'), ev('X'))));
await fact('maxCount 2 metadata then read', async () => {
  await client.appendToStream(s('max'), [ev('1'), ev('2'), ev('3'), ev('4')]);
  await client.setStreamMetadata(s('max'), { maxCount: 2 });
  return collect(client.readStream(s('max')), (e) => shape(e).revision);
});

const typed = (t) => `Probe${run}.${t}`;
await client.appendToStream(s('f1'), [ev(typed('One')), ev(typed('Two')), ev('Other')]);
await client.appendToStream(s('f2'), [ev(typed('One'))]);
let positions = [];
await fact('readAll with a type-prefix filter: is the filter ignored by the client', async () => {
  let others = 0;
  for await (const { event } of client.readAll({
    direction: FORWARDS,
    fromPosition: START,
    maxCount: 100000,
    filter: eventTypeFilter({ prefixes: [`Probe${run}.`] }),
  }))
    if (event && !event.type.startsWith(`Probe${run}.`)) others++;
  return { ignored: others > 0 };
});
await fact('readAll, matches picked by the reader', async () => {
  const out = [];
  for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START, maxCount: 100000 }))
    if (event?.type.startsWith(`Probe${run}.`)) {
      out.push([event.streamId, event.type, event.revision.toString()]);
      positions.push(event.position);
    }
  return out;
});
await fact('readAll from the position of the second match: is it included', async () => {
  const out = [];
  for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: positions[1], maxCount: 100000 }))
    if (event?.type.startsWith(`Probe${run}.`)) out.push([event.streamId, event.type]);
  return out;
});
await fact('readAll backwards from the position of the second match: is it included', async () => {
  const out = [];
  for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: positions[1], maxCount: 100000 }))
    if (event?.type.startsWith(`Probe${run}.`)) out.push([event.streamId, event.type]);
  return out;
});
await fact('subscribeToAll from the position of the second match: is it included', async () => {
  const sub = client.subscribeToAll({ fromPosition: positions[1], filter: eventTypeFilter({ prefixes: [`Probe${run}.`] }) });
  const out = [];
  const other = new Set();
  sub.on('caughtUp', () => other.add('caughtUp'));
  sub.on('fellBehind', () => other.add('fellBehind'));
  sub.on('confirmation', () => other.add('confirmation'));
  sub.on('data', ({ event }) => out.push([event.streamId, event.type]));
  await sleep(1500);
  await sub.unsubscribe();
  return { out, other: [...other] };
});
await fact('subscribeToAll live order across streams', async () => {
  const sub = client.subscribeToAll({ fromPosition: END, filter: streamNameFilter({ prefixes: [s('live')] }) });
  const out = [];
  sub.on('data', ({ event }) => out.push([event.streamId, event.revision.toString()]));
  await sleep(700);
  for (let i = 0; i < 5; i++) {
    await client.appendToStream(s('live-x'), ev('L'));
    await client.appendToStream(s('live-y'), ev('L'));
  }
  await sleep(1500);
  await sub.unsubscribe();
  return out;
});
await fact('subscribeToAll checkpoints are reported', async () => {
  let checkpoints = 0;
  let monotonic = true;
  let last = -1n;
  const sub = client.subscribeToAll({
    fromPosition: START,
    filter: eventTypeFilter({
      prefixes: ['never-matches-'],
      checkpointInterval: 1,
      maxSearchWindow: 32,
      async checkpointReached(_s, p) {
        checkpoints++;
        if (p.commit < last) monotonic = false;
        last = p.commit;
      },
    }),
  });
  sub.on('data', () => {});
  await sleep(1500);
  await sub.unsubscribe();
  return { some: checkpoints > 0, monotonic };
});
await fact('subscribeToStream from revision 1: first received', async () => {
  const sub = client.subscribeToStream(s('a'), { fromRevision: 1n });
  const out = [];
  sub.on('data', ({ event }) => out.push(event.revision.toString()));
  await sleep(1000);
  await sub.unsubscribe();
  return out;
});
await fact('subscribeToStream to a missing stream, then created', async () => {
  const sub = client.subscribeToStream(s('later'), { fromRevision: START });
  const out = [];
  sub.on('data', ({ event }) => out.push(event.type));
  sub.on('error', (e) => out.push(err(e)));
  await sleep(500);
  await client.appendToStream(s('later'), [ev('1'), ev('2')]);
  await sleep(1000);
  await sub.unsubscribe();
  return out;
});
console.log(JSON.stringify(facts, null, 1));
await quiet.dispose();
await client.dispose();
process.exit(0);
