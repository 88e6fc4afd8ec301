// (e) idempotency once the server has forgotten the ids
import { randomUUID } from 'node:crypto';
import { ANY, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { ev, drain, fact, client, fresh } from './harness.mjs';

export default async function () {
  const srv = fresh('e');
  await srv.start();
  const cases = async (label, between) => {
    const run = randomUUID().slice(0, 8);
    const c = client();
    const s = (n) => `e-${run}-${n}`;
    const ids = () => randomUUID();
    const out = {};
    const mk = (list, t = 'E') => list.map((id, i) => ev(t, { i }, { id }));
    const id = {};
    for (const n of [
      'nostream',
      'any',
      'exists',
      'exact',
      'subset',
      'mixed',
      'mixedany',
      'mixedany2',
      'tailany',
      'exactprev',
      'wrongexact',
    ]) {
      id[n] = [ids(), ids(), ids()];
      await c.appendToStream(s(n), mk(id[n].slice(0, 2)), { expectedRevision: NO_STREAM });
      await c.appendToStream(s(n), mk(id[n].slice(2)), { expectedRevision: 1n });
    }
    const anyIds = [ids(), ids()];
    await c.appendToStream(s('anyfirst'), mk(anyIds), { expectedRevision: ANY });
    const shared = [ids()];
    await c.appendToStream(s('shared1'), mk(shared));
    await c.appendToStream(s('shared2'), mk(shared));
    await c.appendToStream(s('gone'), mk([(id.gone = ids())]));
    await c.deleteStream(s('gone'));
    await c.dispose();
    await between();
    const d = client();
    const go = async (name, stream, list, expectedRevision) => {
      try {
        const r = await d.appendToStream(s(stream), mk(list), { expectedRevision });
        out[name] = { next: r.nextExpectedRevision.toString() };
      } catch (e) {
        out[name] = { error: e.type, expected: e.expectedVersion?.toString(), actual: e.actualVersion?.toString() };
      }
      out[name].eventsNow = await drain(d.readStream(s(stream))).then(
        (l) => l.length,
        (e) => e.type,
      );
    };
    await go('same two ids, NO_STREAM, stream has 3', 'nostream', id.nostream.slice(0, 2), NO_STREAM);
    await go('same two ids, ANY, stream has 3', 'any', id.any.slice(0, 2), ANY);
    await go('same two ids, STREAM_EXISTS, stream has 3', 'exists', id.exists.slice(0, 2), STREAM_EXISTS);
    await go('same third id, exact revision 1, stream has 3', 'exact', id.exact.slice(2), 1n);
    await go('first id only, NO_STREAM, stream has 3', 'subset', id.subset.slice(0, 1), NO_STREAM);
    await go('first id and a new one, NO_STREAM, stream has 3', 'mixed', [id.mixed[0], ids()], NO_STREAM);
    await go('last id and a new one, ANY, stream has 3', 'mixedany', [id.mixedany[2], ids()], ANY);
    await go('a new one and the last id, ANY, stream has 3', 'mixedany2', [ids(), id.mixedany2[2]], ANY);
    await go('second and third ids, exact revision 0, stream has 3', 'exactprev', id.exactprev.slice(1), 0n);
    await go('third id, exact revision 0 (stored at another revision), stream has 3', 'wrongexact', id.wrongexact.slice(2), 0n);
    await go('last id, ANY, stream has 3', 'tailany', id.tailany.slice(2), ANY);
    await go('first written with ANY, same two ids, ANY, stream has 2', 'anyfirst', anyIds, ANY);
    await go('one id written to two streams, again to the first with ANY', 'shared1', shared, ANY);
    await go('one id written to two streams, again to the second with ANY', 'shared2', shared, ANY);
    await go('soft-deleted stream, same id, NO_STREAM', 'gone', [id.gone], NO_STREAM);
    const posOf = await d.appendToStream(s('nostream'), mk(id.nostream.slice(0, 2)), { expectedRevision: NO_STREAM });
    const first = await drain(d.readStream(s('nostream')), ({ event }) => event.position.commit);
    out['position of an idempotent answer'] = { equalsTheStoredLastEventOfTheBatch: posOf.position?.commit === first[1] };
    await d.dispose();
    fact(`e ${label}`, out);
  };
  await cases('no restart', async () => {});
  await cases('after SIGTERM and restart', async () => {
    await srv.stop('SIGTERM');
    await srv.start();
  });
  await cases('after kill -9 and restart', async () => {
    await srv.stop('SIGKILL');
    await srv.start();
  });
  await srv.stop('SIGKILL');
}
