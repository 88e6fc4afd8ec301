// (a) (b): appends and subscriptions across SIGTERM and SIGKILL
import { randomUUID } from 'node:crypto';
import { START, eventTypeFilter } from '@eventstore/db-client';
import { sleep, ev, kind, drain, unhandled, note, fact, client, fresh, bounded } from './harness.mjs';

export default async function (sig) {
  const srv = fresh(`a-${sig}`);
  await srv.start();
  const run = randomUUID().slice(0, 8);
  const s = (n) => `a-${run}-${n}`;
  const c = client();
  const subClient = client();
  const seen = { all: [], stream: [], iterator: [] };
  await c.appendToStream(s('0'), ev(`A${run}.first`));
  const add = (into, what) => {
    const x = into.phase === 'after' ? `${what}, after the restart` : what;
    if (!into.includes(x)) into.push(x);
  };
  const watch = (x, into) => {
    x.on('data', () => add(into, 'data'));
    x.on('error', (e) => add(into, `error ${kind(e)}`));
    for (const k of ['end', 'close']) x.on(k, () => add(into, k));
    return x;
  };
  const sAll = watch(subClient.subscribeToAll({ fromPosition: START, filter: eventTypeFilter({ prefixes: [`A${run}.`] }) }), seen.all);
  const sStream = watch(subClient.subscribeToStream(s('0'), { fromRevision: START }), seen.stream);
  const iter = (async () => {
    try {
      for await (const x of subClient.subscribeToAll({ fromPosition: START, filter: eventTypeFilter({ prefixes: [`A${run}.`] }) })) {
        void x;
        add(seen.iterator, 'data');
      }
      add(seen.iterator, 'loop ended normally');
    } catch (e) {
      add(seen.iterator, `loop threw ${kind(e)}`);
      note({ iterator: e.message });
    }
  })();
  const setPhase = (p) => {
    for (const v of Object.values(seen)) v.phase = p;
  };
  setPhase('before');
  const acked = [];
  const sent = [];
  const errors = {};
  let hung = 0;
  let stop = false;
  let phase = 'before';
  let firstAfter;
  let readyAt;
  const workers = Array.from({ length: 8 }, async (_, w) => {
    for (let i = 0; !stop; i++) {
      const t = `A${run}.${w}-${i}`;
      sent.push([s(`${w}`), t]);
      try {
        await bounded(c.appendToStream(s(`${w}`), ev(t)), 20000);
        await sleep(5);
        acked.push([s(`${w}`), t]);
        if (phase === 'after' && !firstAfter) firstAfter = Date.now();
      } catch (e) {
        const k = e.type === 'HANGS' ? `HANGS over 20 s, sent ${phase}` : kind(e);
        errors[k] = (errors[k] ?? 0) + 1;
        if (e.type === 'HANGS') hung++;
        await sleep(20);
      }
    }
  });
  await sleep(2000);
  phase = 'down';
  setPhase('down');
  const ended = await srv.stop(sig);
  await sleep(2500);
  const startMs = await srv.start();
  readyAt = Date.now();
  phase = 'after';
  setPhase('after');
  await sleep(3000);
  stop = true;
  await Promise.race([Promise.all(workers), sleep(25000)]);
  const back = client();
  const stored = new Map();
  for (let w = 0; w < 8; w++)
    for (const t of await drain(back.readStream(s(`${w}`)), (x) => x.event.type)) stored.set(t, (stored.get(t) ?? 0) + 1);
  const lost = acked.filter(([, t]) => !stored.has(t)).length;
  const dup = [...stored.values()].filter((n) => n > 1).length;
  note({
    phase: `a ${sig}`,
    ended,
    startMs,
    sent: sent.length,
    acked: acked.length,
    storedNotAcked: [...stored.keys()].filter((t) => t.startsWith(`A${run}.`) && !acked.some(([, x]) => x === t)).length,
    errors,
    hung,
    firstSuccessAfterReadyMs: firstAfter - readyAt,
    unhandled,
  });
  fact(`a ${sig}: acknowledged appends lost`, lost);
  fact(`a ${sig}: events stored twice`, dup);
  fact(`a ${sig}: exit`, { code: ended.code, sig: ended.sig });
  fact(`a ${sig}: the same client appends again after the restart`, !!firstAfter);
  fact(`a ${sig}: append promises that never settled`, hung > 0 ? 'some' : 'none');
  const KNOWN = [
    'Error/-/14',
    'Error/-/13',
    'UnavailableError/unavailable/14',
    'UnknownError/unknown/13',
    'TimeoutError/timeout/10',
    'CancelledError/cancelled/1',
  ];
  note({ kinds: `a ${sig}`, append: Object.keys(errors).sort(), subs: seen });
  fact(
    `a ${sig}: append error kinds outside ${KNOWN.join(' ')}`,
    Object.keys(errors).filter((x) => !KNOWN.includes(x)),
  );
  fact(`a ${sig}: raw grpc Error without a type (code 14) while down`, Object.keys(errors).includes('Error/-/14'));
  for (const [k, v] of Object.entries(seen))
    fact(
      `a ${sig}: ${k} subscription saw`,
      [...v].map((x) =>
        /^(error|loop threw) /.test(x) ? (KNOWN.includes(x.split(' ').at(-1)) ? x.replace(/ \S+$/, ' a known kind') : x) : x,
      ),
    );
  fact(`a ${sig}: unhandled rejections`, [...new Set(unhandled)]);
  unhandled.length = 0;
  // (b) resume from a saved position, exclusive
  const all = [];
  for await (const { event } of back.readAll({ fromPosition: START })) if (event?.type.startsWith(`A${run}.`)) all.push(event);
  const k = Math.floor(all.length / 3);
  const got = [];
  const sub = back.subscribeToAll({ fromPosition: all[k].position, filter: eventTypeFilter({ prefixes: [`A${run}.`] }) });
  const other = [];
  for (const e of ['confirmation', 'caughtUp', 'fellBehind'])
    sub.on(e, () => other.push(`${e}${e === 'caughtUp' ? ` after all: ${got.length === all.length - k - 1}` : ''}`));
  sub.on('data', ({ event }) => got.push(event));
  for (let i = 0; i < 50 && got.length < all.length - k - 1; i++) await sleep(100);
  await sleep(300);
  await sub.unsubscribe();
  fact(
    `b after ${sig}: resume is exclusive and complete, in order`,
    JSON.stringify(got.map((e) => e.type)) === JSON.stringify(all.slice(k + 1).map((e) => e.type)),
  );
  fact(`b after ${sig}: other messages`, other);
  await Promise.race([Promise.all([c.dispose(), subClient.dispose(), back.dispose()]), sleep(2000)]);
  void iter;
  void sAll;
  void sStream;
  await srv.stop('SIGKILL');
}
