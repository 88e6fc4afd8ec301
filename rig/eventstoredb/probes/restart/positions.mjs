// (c) positions, system events, checkpoints, caughtUp
import { randomUUID } from 'node:crypto';
import { START, END, BACKWARDS, eventTypeFilter } from '@eventstore/db-client';
import { sleep, ev, drain, note, fact, client, fresh } from './harness.mjs';

export default async function () {
  const srv = fresh('c');
  const t = await srv.start();
  note({ phase: 'c', startMs: t });
  const run = randomUUID().slice(0, 8);
  const c = client();
  fact(
    "c fresh database: $all before any append but the probe's own (stream, type)",
    await drain(c.readAll({ fromPosition: START }), ({ event }) => [event.streamId, event.type]),
  );
  fact(
    'c fresh database: first position is 0/0',
    (await drain(c.readAll({ maxCount: 1 }), ({ event }) => event.position))[0].commit === 0n,
  );
  for (let i = 0; i < 200; i++) await c.appendToStream(`c-${run}-${i % 7}`, [ev(`C${run}.x`, { i }), ev(`Other${run}`, { i })]);
  const es = await drain(c.readAll({ fromPosition: START }), ({ event, commitPosition }) => ({ ...event, commitPosition }));
  const bw = await drain(c.readAll({ fromPosition: END, direction: BACKWARDS }), ({ event }) => event.position.commit);
  fact(
    'c all events: commit equals prepare',
    es.every((e) => e.position.commit === e.position.prepare),
  );
  fact(
    'c all events: commitPosition of the resolved event equals event.position.commit',
    es.every((e) => e.position.commit === e.commitPosition),
  );
  fact(
    'c all events: positions strictly rise',
    es.every((e, i) => !i || e.position.commit > es[i - 1].position.commit),
  );
  fact(
    "c events of one append have distinct positions; the result position is the last one's",
    await (async () => {
      const r = await c.appendToStream(`c-${run}-m`, [ev('m1'), ev('m2'), ev('m3')]);
      const p = await drain(c.readStream(`c-${run}-m`), ({ event }) => event.position.commit);
      return { distinct: new Set(p).size === 3, last: p[2] === r.position.commit };
    })(),
  );
  fact(
    'c read backwards is the exact reverse',
    JSON.stringify(bw.map(String).slice(-es.length)) === JSON.stringify(es.map((e) => String(e.position.commit)).reverse()),
  );
  fact('c stream read carries position', (await drain(c.readStream(`c-${run}-0`), ({ event }) => !!event.position)).every(Boolean));
  for (const [name, opt, during] of [
    [
      'type prefix filter from START, interval 1, window 32',
      { fromPosition: START, filter: { prefixes: [`C${run}.`], checkpointInterval: 1, maxSearchWindow: 32 } },
    ],
    ['type prefix filter from START, client defaults', { fromPosition: START, filter: { prefixes: [`C${run}.`] } }],
    [
      'type prefix filter from END, 70 live non-matching appends one by one, window 32',
      { fromPosition: END, filter: { prefixes: [`Never${run}.`], checkpointInterval: 1, maxSearchWindow: 32 } },
      async () => {
        for (let i = 0; i < 70; i++) await c.appendToStream(`c-${run}-l`, ev('Noise'));
      },
    ],
    [
      'type prefix filter from END, 70 live matching appends one by one, window 32',
      { fromPosition: END, filter: { prefixes: ['Loud'], checkpointInterval: 1, maxSearchWindow: 32 } },
      async () => {
        for (let i = 0; i < 70; i++) await c.appendToStream(`c-${run}-l`, ev('Loud'));
      },
    ],
    [
      'type prefix filter from END, interval 2, window 10, 70 live non-matching appends',
      { fromPosition: END, filter: { prefixes: [`Never${run}.`], checkpointInterval: 2, maxSearchWindow: 10 } },
      async () => {
        for (let i = 0; i < 70; i++) await c.appendToStream(`c-${run}-l`, ev('Noise'));
      },
    ],
  ]) {
    const log = [];
    const bad = [];
    let last = -1n;
    let system = 0;
    const push = (x) => {
      if (log.length && log.at(-1)[0] === x) log.at(-1)[1]++;
      else log.push([x, 1]);
    };
    const sub = c.subscribeToAll({
      fromPosition: opt.fromPosition,
      filter: eventTypeFilter({
        ...opt.filter,
        checkpointReached: async (_s, p) => {
          push('checkpoint');
          if (p.commit < last) bad.push('checkpoint below what was seen');
          if (p.prepare !== p.commit) bad.push('checkpoint with prepare != commit');
          if (p.commit > last) last = p.commit;
        },
      }),
    });
    for (const e of ['confirmation', 'caughtUp', 'fellBehind']) sub.on(e, () => push(e));
    sub.on('data', ({ event }) => {
      if (event.type.startsWith('$')) system++;
      push('event');
      if (event.position.commit <= last) bad.push('event not above the last checkpoint');
      last = event.position.commit;
    });
    await sleep(1200);
    if (during) {
      await during();
      await sleep(1200);
    }
    await sub.unsubscribe();
    fact(`c subscription, ${name}: message order (runs)`, log);
    fact(`c subscription, ${name}: oddities`, [...new Set(bad)].sort());
    fact(`c subscription, ${name}: system events`, system);
  }
  fact(
    'c streams a subscription without a filter from START delivers system events',
    await (async () => {
      let n = 0;
      const sub = c.subscribeToAll({ fromPosition: START });
      sub.on('data', ({ event }) => {
        if (event.type.startsWith('$')) n++;
      });
      await sleep(1500);
      await sub.unsubscribe();
      return n > 0;
    })(),
  );
  fact(
    'c caughtUp on a subscription to a missing stream',
    await (async () => {
      const o = [];
      const sub = c.subscribeToStream(`c-${run}-missing`, { fromRevision: START });
      for (const e of ['confirmation', 'caughtUp']) sub.on(e, () => o.push(e));
      sub.on('data', () => o.push('event'));
      await sleep(800);
      await c.appendToStream(`c-${run}-missing`, ev('x'));
      await sleep(800);
      await sub.unsubscribe();
      return o;
    })(),
  );
  fact(
    'c resume from a checkpoint position after a page without a match misses nothing',
    await (async () => {
      let cp;
      const sub = c.subscribeToAll({
        fromPosition: START,
        filter: eventTypeFilter({
          prefixes: ['Loud'],
          checkpointInterval: 1,
          maxSearchWindow: 32,
          checkpointReached: async (_s, p) => {
            cp ??= p;
          },
        }),
      });
      const a = [];
      sub.on('data', ({ event }) => a.push(event.revision.toString()));
      await sleep(1000);
      await sub.unsubscribe();
      const b = [];
      const again = c.subscribeToAll({ fromPosition: cp, filter: eventTypeFilter({ prefixes: ['Loud'] }) });
      again.on('data', ({ event }) => b.push(event.revision.toString()));
      await sleep(1000);
      await again.unsubscribe();
      return { same: JSON.stringify(a) === JSON.stringify(b), some: a.length > 0 };
    })(),
  );
  await c.dispose();
  await srv.stop('SIGKILL');
}
