// (f) live $all subscriber against 3 processes
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { START, eventTypeFilter } from '@eventstore/db-client';
import { sleep, ev, kind, drain, cs, note, fact, client, fresh } from './harness.mjs';

export default async function () {
  const srv = fresh('f');
  await srv.start();
  const run = randomUUID().slice(0, 8);
  const c = client();
  const TOTAL = 5001;
  const errs = [];
  const KN = ['TimeoutError/timeout/10'];
  // each subscription resumes after the last event it saw whenever the server drops it
  const subscribe = (from, filter, kindOf) => {
    const seen = [];
    const f = { seen, drops: 0, kindOf, caughtUp: 0, firstRun: null };
    let last = from;
    let cur;
    let over = false;
    const open = () => {
      if (over) return;
      cur = c.subscribeToAll({ fromPosition: last, ...(filter ? { filter: eventTypeFilter({ prefixes: [`F${run}.`] }) } : {}) });
      cur.on('caughtUp', () => f.caughtUp++);
      cur.on('data', ({ event }) => {
        last = event.position;
        if (event.type.startsWith(`F${run}.`)) seen.push([event.type, event.position.commit]);
      });
      cur.on('error', (e) => {
        errs.push(kind(e));
        f.firstRun ??= seen.length;
        f.drops++;
        setTimeout(open, 20);
      });
    };
    open();
    f.stop = () => {
      over = true;
      return cur.unsubscribe();
    };
    return f;
  };
  const startAt = (await c.appendToStream(`f-${run}-start`, ev('start'))).position;
  const subscriptions = [subscribe(startAt, true, 'live, type filter'), subscribe(startAt, false, 'live, no filter')];
  await sleep(800);
  const t = Date.now();
  const kids = [0, 1, 2].map(
    (i) =>
      new Promise((r) => {
        const k = fork(new URL('./worker.mjs', import.meta.url), [cs, run, String(i), String(TOTAL / 3), '50', '64']);
        k.on('message', r);
      }),
  );
  await sleep(400);
  subscriptions.push(subscribe(START, true, 'started from START amid the writes'));
  const acks = (await Promise.all(kids)).flat();
  const ms = Date.now() - t;
  for (let i = 0; i < 150 && subscriptions.some((x) => x.seen.length < TOTAL); i++) await sleep(100);
  await sleep(500);
  await Promise.all(subscriptions.map((x) => x.stop()));
  const stored = await drain(c.readAll({ fromPosition: START }), ({ event }) => event);
  const mine = stored.filter((e) => e.type.startsWith(`F${run}.`));
  const order = mine.map((e) => e.type);
  note({
    phase: 'f',
    acks: acks.length,
    stored: mine.length,
    appendMs: ms,
    subscriptions: subscriptions.map((x) => [x.kindOf, x.seen.length, x.drops, x.firstRun, x.caughtUp]),
    errs: [...new Set(errs)],
  });
  fact('f 5001 appends of 3 processes: all stored once', mine.length === TOTAL && new Set(order).size === TOTAL);
  fact(
    'f acknowledged position equals the stored one',
    (() => {
      const m = new Map(mine.map((e) => [e.type, e.position.commit.toString()]));
      return acks.every(([ty, p]) => m.get(ty) === p);
    })(),
  );
  for (const x of subscriptions)
    fact(`f follower that resumes after a drop, ${x.kindOf}`, {
      everyEventOnce: x.seen.length === TOTAL && new Set(x.seen.map((y) => y[0])).size === TOTAL,
      positionsRise: x.seen.every((y, i) => !i || y[1] > x.seen[i - 1][1]),
      sameOrderAsReadAll: JSON.stringify(x.seen.map((y) => y[0])) === JSON.stringify(order),
    });
  fact(
    'f drops are of an unknown kind',
    [...new Set(errs)].filter((k) => !KN.includes(k)),
  );
  await Promise.race([c.dispose(), sleep(2000)]);
  await srv.stop('SIGKILL');
}
