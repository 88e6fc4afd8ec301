// (h) a consumer that does not read
import { randomUUID } from 'node:crypto';
import { END, eventTypeFilter } from '@eventstore/db-client';
import { sleep, ev, kind, note, fact, client, fresh } from './harness.mjs';

export default async function () {
  const srv = fresh('h');
  await srv.start();
  const run = randomUUID().slice(0, 8);
  const c = client();
  const w = client();
  for (const [name, mk] of [
    ['$all, type filter', () => c.subscribeToAll({ fromPosition: END, filter: eventTypeFilter({ prefixes: [`H${run}`] }) })],
    ['$all', () => c.subscribeToAll({ fromPosition: END })],
    ['stream', () => c.subscribeToStream(`h-${run}`, { fromRevision: END })],
  ]) {
    const out = [];
    let got = 0;
    let go;
    const gate = new Promise((r) => {
      go = r;
    });
    const sub = mk();
    let running = true;
    (async () => {
      try {
        for await (const x of sub) {
          got++;
          if (got === 1) await gate;
        }
        out.push('loop ended');
      } catch (e) {
        out.push(`loop threw ${kind(e)}: ${String(e.message).replace(/^\d+ /, '')}`);
      }
      running = false;
    })();
    await sleep(600);
    const big = 'x'.repeat(4000);
    let sent = 0;
    for (let i = 0; i < 60; i++) {
      await w.appendToStream(
        `h-${run}`,
        Array.from({ length: 50 }, () => ev(`H${run}`, { big })),
      );
      sent += 50;
    }
    await sleep(500);
    go();
    for (let i = 0; i < 40 && running; i++) await sleep(100);
    await sleep(300);
    note({ phase: 'h', name, sent, got, out });
    fact(`h reader that stops reading while 3000 events of 4 KB come in: ${name}`, { outcome: out, gotAll: got === sent });
    await Promise.race([sub.unsubscribe(), sleep(500)]);
  }
  const burst = {};
  for (const n of [10, 32, 60, 100, 400])
    for (const how of ['$all', '$all, type filter', 'stream']) {
      const name = `hb-${run}-${n}-${how.length}`;
      let got = 0;
      const out = [];
      const sub =
        how === 'stream'
          ? c.subscribeToStream(name, { fromRevision: END })
          : c.subscribeToAll({ fromPosition: END, ...(how === '$all' ? {} : { filter: eventTypeFilter({ prefixes: [`HB${run}`] }) }) });
      sub.on('data', ({ event }) => {
        if (event.streamId === name) got++;
      });
      sub.on('error', (e) => out.push(kind(e)));
      await sleep(500);
      if (how === 'stream') {
        await w.appendToStream(name, ev(`HB${run}`));
        await sleep(200);
        got = 0;
      }
      await w.appendToStream(
        name,
        Array.from({ length: n }, (_, i) => ev(`HB${run}`, { i })),
      );
      await sleep(700);
      burst[`${n} events in one append, ${how}`] = { got, error: out };
      await sub.unsubscribe();
    }
  note({ phase: 'h', burst });
  fact(
    'h one append of 10 events reaches a live subscriber whole',
    Object.entries(burst)
      .filter(([k]) => /^10 /.test(k))
      .every(([k, v]) => v.got === parseInt(k)),
  );
  await Promise.race([Promise.all([c.dispose(), w.dispose()]), sleep(2000)]);
  await srv.stop('SIGKILL');
}
