// (j) nobody listens
import { START } from '@eventstore/db-client';
import { sleep, ev, kind, drain, note, fact, client, bounded } from './harness.mjs';

export default async function () {
  const c = client(); // The phase before has ended its server.
  const timed = async (p) => {
    const t = Date.now();
    try {
      await bounded(p, 30000);
      return ['success', 0];
    } catch (e) {
      return [e.type === 'HANGS' ? 'HANGS over 30 s' : kind(e), Date.now() - t];
    }
  };
  const r = {
    append: await timed(c.appendToStream('j', ev('x'))),
    read: await timed(drain(c.readStream('j'))),
    readAll: await timed(drain(c.readAll())),
  };
  const sub = c.subscribeToAll({ fromPosition: START });
  r.subscribe = await timed(
    new Promise((_, no) => {
      sub.on('error', no);
      sub.on('data', () => {});
    }),
  );
  note({ phase: 'j', r });
  fact('j nothing listens on the port', Object.fromEntries(Object.entries(r).map(([k, v]) => [k, v[0]])));
  await Promise.race([c.dispose(), sleep(1000)]);
}
