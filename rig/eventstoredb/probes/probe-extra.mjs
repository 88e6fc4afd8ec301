// Records more facts that an adapter or emulator needs: deletes, truncation, sizes, links, $all contents. usage: node probe-extra.mjs
// <connection string> > facts-extra.json
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
  BACKWARDS,
  streamNameFilter,
  eventTypeFilter,
  excludeSystemEvents,
} from '@eventstore/db-client';
const cs = process.argv[2] ?? 'esdb://127.0.0.1:2113?tls=false';
const c = EventStoreDBClient.connectionString(cs);
const run = randomUUID().slice(0, 8);
const s = (n) => `x-${run}-${n}`;
const ev = (type, data = {}, x = {}) => jsonEvent({ type, data, ...x });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const facts = {};
const plain = (v) => JSON.parse(JSON.stringify(v, (_, x) => (typeof x === 'bigint' ? `${x}n` : x)).replaceAll(run, 'RUN'));
const err = (e) => ({
  error: e.constructor.name,
  type: e.type,
  code: e.code,
  expected: e.expectedVersion?.toString(),
  actual: e.actualVersion?.toString(),
});
const fact = async (n, f) => {
  try {
    facts[n] = plain(await Promise.race([f(), sleep(25000).then(() => 'nothing in 25 s')]));
  } catch (e) {
    facts[n] = plain(err(e));
  }
};
const drain = async (it, map = (x) => x) => {
  const o = [];
  for await (const x of it) o.push(map(x));
  return o;
};
const revs = (n, o) => drain(c.readStream(n, o), ({ event }) => event.revision.toString());
const ap = async (n, e, o) => {
  const r = await c.appendToStream(n, e, o);
  return r.nextExpectedRevision.toString();
};
for (const [name, o] of [
  ['ANY', { expectedRevision: ANY }],
  ['NO_STREAM', { expectedRevision: NO_STREAM }],
  ['STREAM_EXISTS', { expectedRevision: STREAM_EXISTS }],
  ['exact last revision 2', { expectedRevision: 2n }],
  ['exact stale revision 0', { expectedRevision: 0n }],
])
  await fact(`soft-deleted stream of 3: append ${name}, then read`, async () => {
    const n = s(`sd-${name}`);
    await c.appendToStream(n, [ev('1'), ev('2'), ev('3')]);
    await c.deleteStream(n);
    return { next: await ap(n, ev('4'), o), read: await revs(n) };
  });
await fact('soft delete with the right revision', async () => {
  await c.appendToStream(s('sd1'), [ev('1'), ev('2')]);
  const r = await c.deleteStream(s('sd1'), { expectedRevision: 1n });
  return { position: !!r.position };
});
await fact('soft delete with NO_STREAM on a missing stream', async () => ({
  position: !!(await c.deleteStream(s('none'), { expectedRevision: NO_STREAM })).position,
}));
await fact('soft delete with ANY on a missing stream', async () => ({ position: !!(await c.deleteStream(s('none2'))).position }));
await fact('soft delete twice', async () => {
  await c.appendToStream(s('sd2'), ev('1'));
  await c.deleteStream(s('sd2'));
  return { position: !!(await c.deleteStream(s('sd2'))).position };
});
await fact('metadata of a soft-deleted stream', async () => (await c.getStreamMetadata(s('sd2'))).metadata);
await fact('metadata of a stream re-created after a soft delete', async () => (await c.getStreamMetadata(s('sd-NO_STREAM'))).metadata);
await fact('tombstone with NO_STREAM on a missing stream, then append', async () => {
  const r = await c.tombstoneStream(s('tn'), { expectedRevision: NO_STREAM });
  return { position: !!r.position, append: await ap(s('tn'), ev('1')).catch(err) };
});
await fact('tombstone with ANY on a missing stream', async () => ({ position: !!(await c.tombstoneStream(s('tn2'))).position }));
await fact('$all still shows events of a soft-deleted and of a tombstoned stream', async () => {
  await c.appendToStream(s('all-sd'), ev('keep'));
  await c.deleteStream(s('all-sd'));
  await c.appendToStream(s('all-t'), ev('keep'));
  await c.tombstoneStream(s('all-t'));
  return (await drain(c.readAll(), ({ event }) => [event.streamId, event.type])).filter(([n]) => n.includes(s('all-')));
});
await fact('type filter subscription still delivers events of a soft-deleted stream', async () => {
  const t = `keep${run}`;
  await c.appendToStream(s('sub-sd'), ev(t));
  await c.deleteStream(s('sub-sd'));
  const o = [];
  const x = c.subscribeToAll({ filter: eventTypeFilter({ prefixes: [t] }) });
  x.on('data', ({ event }) => o.push(event.streamId));
  await sleep(1200);
  await x.unsubscribe();
  return o;
});
await fact('truncateBefore 2 of 4: read, read from 0, read backwards, subscribe', async () => {
  await c.appendToStream(s('tb'), [ev('1'), ev('2'), ev('3'), ev('4')]);
  await c.setStreamMetadata(s('tb'), { truncateBefore: 2 });
  const o = [];
  const x = c.subscribeToStream(s('tb'), { fromRevision: START });
  x.on('data', ({ event }) => o.push(event.revision.toString()));
  await sleep(700);
  await x.unsubscribe();
  return {
    read: await revs(s('tb')),
    from0: await revs(s('tb'), { fromRevision: 0n }),
    backwards: await revs(s('tb'), { direction: BACKWARDS, fromRevision: END }),
    subscribe: o,
  };
});
await fact('maxAge 1 second: read after 2.2 seconds', async () => {
  await c.appendToStream(s('ma'), ev('1'));
  await c.setStreamMetadata(s('ma'), { maxAge: 1 });
  await sleep(2200);
  return { read: await revs(s('ma')), next: await ap(s('ma'), ev('2'), { expectedRevision: 0n }) };
});
await fact('set metadata with a wrong expected revision', async () => ap(`$$${s('tb')}`, ev('$metadata', {}), { expectedRevision: 9n }));
const json = (bytes) => ({ x: 'y'.repeat(bytes - 8) });
await fact('one event with data of exactly 1048576 bytes', async () => ap(s('sz1'), ev('T', json(1048576))));
await fact('one event with data of 1048577 bytes', async () => ap(s('sz2'), ev('T', json(1048577))));
await fact('data of 1048576 bytes and metadata of 2000 bytes (metadata and type do not count)', async () =>
  ap(s('sz3'), ev('Type'.repeat(20), json(1048576), { metadata: { m: 'm'.repeat(2000) } })),
);
await fact('two events of 524288 bytes of data in one append', async () => ap(s('sz6'), [ev('T', json(524288)), ev('T', json(524288))]));
await fact('the Append rpc (credentials): data of 1048576 bytes, then 1048577', async () => [
  await ap(s('sz7'), ev('T', json(1048576)), { credentials: { username: 'admin', password: 'changeit' } }),
  await ap(s('sz8'), ev('T', json(1048577)), { credentials: { username: 'admin', password: 'changeit' } }).catch(err),
]);
await fact('two events in one append, together over the limit', async () => ap(s('sz4'), [ev('T', json(600000)), ev('T', json(600000))]));
await fact('after a refused big append the same client appends', async () => ap(s('sz5'), ev('T')));
await fact('1000 events in one append', async () =>
  ap(
    s('n1000'),
    Array.from({ length: 1000 }, (_, i) => ev('T', { i })),
  ),
);
await fact('read 1000 events: count and order', async () => {
  const r = await revs(s('n1000'));
  return { count: r.length, ordered: r.every((x, i) => x === String(i)) };
});
await fact('read maxCount 5 from revision 10', () => revs(s('n1000'), { fromRevision: 10n, maxCount: 5 }));
await fact('read backwards from revision 10, maxCount 3', () => revs(s('n1000'), { direction: BACKWARDS, fromRevision: 10n, maxCount: 3 }));
await fact('breaking out of a read early leaves the client usable', async () => {
  for await (const x of c.readStream(s('n1000'))) {
    void x;
    break;
  }
  return revs(s('n1000'), { maxCount: 1 });
});
await fact('link events: raw and resolved', async () => {
  await c.appendToStream(s('target'), ev('Real', { a: 1 }));
  await c.appendToStream(s('links'), [
    binaryEvent({ type: '$>', data: Buffer.from(`0@${s('target')}`) }),
    binaryEvent({ type: '$>', data: Buffer.from(`0@${s('not-there')}`) }),
  ]);
  const m = ({ event, link }) => [event?.type, event?.streamId, link?.type, link?.streamId];
  return { raw: await drain(c.readStream(s('links')), m), resolved: await drain(c.readStream(s('links'), { resolveLinkTos: true }), m) };
});
await fact('excludeSystemEvents() subscription delivers only non-system types', async () => {
  let sys = 0,
    own = 0;
  const x = c.subscribeToAll({ fromPosition: START, filter: excludeSystemEvents() });
  x.on('data', ({ event }) => {
    if (event?.type.startsWith('$')) sys++;
    else own++;
  });
  await sleep(1500);
  await x.unsubscribe();
  return { sys, own: own > 0 };
});
await fact('stream name filter by prefix', async () => {
  const o = [];
  const x = c.subscribeToAll({ filter: streamNameFilter({ prefixes: [s('tb')] }) });
  x.on('data', ({ event }) => o.push(event.streamId));
  await sleep(1200);
  await x.unsubscribe();
  return o;
});
await fact('type filter by regex', async () => {
  const o = [];
  const x = c.subscribeToAll({ filter: eventTypeFilter({ regex: '^Real$' }) });
  x.on('data', ({ event }) => o.push(event.streamId));
  await sleep(1200);
  await x.unsubscribe();
  return o.filter((n) => n.includes(run));
});
await fact('two prefixes in one filter', async () => {
  await c.appendToStream(s('two'), [ev(`P${run}a`), ev(`Q${run}b`), ev('zzz')]);
  const o = [];
  const x = c.subscribeToAll({ filter: eventTypeFilter({ prefixes: [`P${run}`, `Q${run}`] }) });
  x.on('data', ({ event }) => o.push(event.type));
  await sleep(1200);
  await x.unsubscribe();
  return o;
});
await fact('prefix match is case sensitive', async () => {
  const o = [];
  const x = c.subscribeToAll({ filter: eventTypeFilter({ prefixes: [`p${run}`] }) });
  x.on('data', ({ event }) => o.push(event.type));
  await sleep(1200);
  await x.unsubscribe();
  return o;
});
await fact('every checkpoint of a sparse filtered catch-up is a position from which nothing is missed or repeated', async () => {
  const t = `Sparse${run}`;
  for (let i = 0; i < 300; i++) await c.appendToStream(s('sparse'), ev(i % 45 === 44 ? t : 'Filler'));
  const follow = async (fromPosition) => {
    const log = [];
    const x = c.subscribeToAll({
      fromPosition,
      filter: eventTypeFilter({
        prefixes: [t],
        checkpointInterval: 1,
        maxSearchWindow: 32,
        checkpointReached: async (_, p) => {
          log.push(p);
        },
      }),
    });
    let err1;
    x.on('error', (e) => {
      err1 = err(e);
    });
    const done = new Promise((r) => {
      x.on('caughtUp', r);
      x.on('error', r);
    });
    x.on('data', ({ event }) => log.push(event.revision.toString()));
    await done;
    await sleep(100);
    await x.unsubscribe();
    return { log, err1 };
  };
  const { log } = await follow(START);
  const bad = [];
  let withoutPrepare = 0,
    checkpoints = 0;
  for (let i = 0; i < log.length; i++)
    if (typeof log[i] === 'object') {
      checkpoints++;
      if (log[i].prepare === 0n && log[i].commit !== 0n) withoutPrepare++;
      const r = await follow(log[i]);
      const want = log.slice(i + 1).filter((v) => typeof v === 'string');
      const got = r.log.filter((v) => typeof v === 'string');
      if (r.err1 || JSON.stringify(want) !== JSON.stringify(got)) bad.push({ want, got, err: r.err1 });
      if (checkpoints > 60) break;
    }
  return { some: checkpoints > 0, someWithPrepareZero: withoutPrepare > 0, bad };
});
await fact('unsubscribe: end and close events', async () => {
  const o = [];
  const x = c.subscribeToStream(s('two'));
  for (const e of ['end', 'close', 'error']) x.on(e, () => o.push(e));
  x.on('data', () => {});
  await sleep(400);
  await x.unsubscribe();
  await sleep(300);
  return o;
});
await fact('subscription from END misses what was there, sees what comes', async () => {
  const o = [];
  const x = c.subscribeToStream(s('two'), { fromRevision: END });
  x.on('data', ({ event }) => o.push(event.revision.toString()));
  await sleep(500);
  await c.appendToStream(s('two'), ev('late'));
  await sleep(500);
  await x.unsubscribe();
  return o;
});
await fact('subscription to a stream from a revision past the end', async () => {
  const o = [];
  const x = c.subscribeToStream(s('two'), { fromRevision: 10n });
  x.on('data', ({ event }) => o.push(event.revision.toString()));
  x.on('caughtUp', () => o.push('caughtUp'));
  x.on('error', (e) => o.push(err(e)));
  await sleep(500);
  await c.appendToStream(s('two'), ev('late'));
  await sleep(700);
  await x.unsubscribe();
  return o;
});
await fact('100 concurrent appends with ANY to one stream: revisions handed out', async () => {
  const r = await Promise.all(Array.from({ length: 100 }, () => c.appendToStream(s('conc'), ev('c'))));
  const n = r.map((x) => Number(x.nextExpectedRevision)).sort((a, b) => a - b);
  return { distinct: new Set(n).size, first: n[0], last: n[99] };
});
await fact('optimistic chain: 20 writers, each retries on wrong version until it wins', async () => {
  const n = s('chain');
  await c.appendToStream(n, ev('0'));
  let wrong = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let rev = 0n; ;) {
        try {
          await c.appendToStream(n, ev('w'), { expectedRevision: rev });
          return;
        } catch (e) {
          if (e.type !== 'wrong-expected-version') throw e;
          wrong++;
          rev = e.actualVersion;
        }
      }
    }),
  );
  return { events: (await revs(n)).length, someWrong: wrong > 0 };
});
console.log(JSON.stringify(facts, null, 1));
await Promise.race([c.dispose(), sleep(1000)]);
process.exit(0);
