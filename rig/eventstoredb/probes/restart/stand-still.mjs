// (i) a stopped server (SIGSTOP): the effect of a deadline
import { END } from '@eventstore/db-client';
import { sleep, ev, kind, drain, note, fact, client, fresh, bounded } from './harness.mjs';

export default async function () {
  const srv = fresh('i');
  await srv.start();
  const c = client();
  await c.appendToStream('i-warm', ev('x'));
  const seen = [];
  const sub = c.subscribeToAll({ fromPosition: END });
  sub.on('error', (e) => seen.push(kind(e)));
  sub.on('data', () => {});
  await sleep(500);
  srv.p.kill('SIGSTOP');
  const t = Date.now();
  const timed = async (name, p) => {
    try {
      await bounded(p, 45000);
      return [name, 'success', Date.now() - t];
    } catch (e) {
      return [name, e.type === 'HANGS' ? 'HANGS over 45 s' : kind(e), Date.now() - t];
    }
  };
  const r = await Promise.all([
    timed('batch append, deadline 1000', c.appendToStream('i-a', ev('x'), { deadline: 1000 })),
    timed(
      'Append rpc (credentials given), deadline 1000',
      c.appendToStream('i-b', ev('x'), { deadline: 1000, credentials: { username: 'a', password: 'b' } }),
    ),
    timed('read stream, deadline 1000', drain(c.readStream('i-warm', { deadline: 1000 }))),
    timed('delete, deadline 1000', c.deleteStream('i-warm', { deadline: 1000 })),
  ]);
  note({ phase: 'i', r, seen });
  srv.p.kill('SIGCONT');
  fact('i server stopped by SIGSTOP, keep-alive defaults: outcome', Object.fromEntries(r.map(([n, o]) => [n, o])));
  fact(
    'i server stopped by SIGSTOP: seconds to the outcome, rounded to 10',
    Object.fromEntries(r.map(([n, , ms]) => [n, Math.round(ms / 10000) * 10])),
  );
  fact('i server stopped by SIGSTOP: subscription', seen);
  await sleep(1500);
  try {
    const x = await bounded(c.appendToStream('i-a', ev('y')), 20000);
    fact('i after SIGCONT the same client appends', x.success);
  } catch (e) {
    fact('i after SIGCONT the same client appends', kind(e));
  }
  note({
    iStoredAnyway: await drain(client().readStream('i-a'), ({ event }) => event.type)
      .then((l) => l.includes('x'))
      .catch((e) => e.type),
  });
  await Promise.race([c.dispose(), sleep(2000)]);
  await srv.stop('SIGKILL');
}
