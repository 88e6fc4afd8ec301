// (d) a batch of 100 events is stored whole or not at all, also after kill -9
import { randomUUID } from 'node:crypto';
import { NO_STREAM } from '@eventstore/db-client';
import { sleep, ev, drain, unhandled, tries, note, fact, client, fresh, bounded } from './harness.mjs';

export default async function () {
  let partial = 0,
    ackedLost = 0,
    whole = 0,
    none = 0,
    unacked = 0,
    raced = 0;
  const srv = fresh('d');
  await srv.start();
  for (let i = 0; i < tries; i++) {
    const run = randomUUID().slice(0, 8);
    const c = client();
    const names = [];
    const acked = new Set();
    let stop = false;
    const workers = Array.from({ length: 8 }, async (_, w) => {
      for (let k = 0; !stop; k++) {
        const n = `d-${run}-${w}-${k}`;
        names.push(n);
        try {
          await bounded(
            c.appendToStream(
              n,
              Array.from({ length: 100 }, (_, j) => ev('D', { j, x: 'x'.repeat(1000) })),
              { expectedRevision: NO_STREAM },
            ),
            5000,
          );
          acked.add(n);
        } catch {
          break;
        }
      }
    });
    await sleep(150 + Math.random() * 500);
    const killed = srv.stop('SIGKILL');
    await killed;
    stop = true;
    await Promise.race([Promise.all(workers), sleep(5500)]);
    await Promise.race([c.dispose(), sleep(1000)]);
    await srv.start();
    const r = client();
    let here = 0;
    for (const n of names) {
      let count = 0;
      try {
        count = (await drain(r.readStream(n))).length;
      } catch (e) {
        if (e.type !== 'stream-not-found') throw e;
      }
      if (count === 100) {
        whole++;
        if (!acked.has(n)) {
          raced++;
          here++;
        }
      } else if (count === 0) none++;
      else partial++;
      if (acked.has(n) && count !== 100) ackedLost++;
      if (!acked.has(n)) unacked++;
    }
    await r.dispose();
    note({ phase: 'd', try: i, streams: names.length, acked: acked.size, wholeButNotAcked: here });
  }
  note({ phase: 'd', tries, whole, none, partial, ackedLost, unacked, wholeButNotAcked: raced });
  fact('d batches of 100 found in part after kill -9', partial);
  fact('d acknowledged batches not whole after kill -9', ackedLost);
  fact('d batches never acknowledged yet stored', raced > 0 ? 'some' : 'none');
  unhandled.length && note({ phase: 'd', unhandled: [...new Set(unhandled)] });
  unhandled.length = 0;
  await srv.stop('SIGKILL');
}
