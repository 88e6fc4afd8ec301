import { rmSync } from 'node:fs';
import { iso, systemClock } from '@svc/kernel';
import { chainedAuthority } from '../authorities/testing/chained-authority.ts';
import { NotSent, type Http } from '../sending/http.ts';
import { ahead, FiscalSystem, type SystemOptions } from '../testing/system.ts';
import type { Authority } from './authority.ts';

const { chain: _, link: _1, ...unchained } = chainedAuthority();
/** An authority whose documents are of one till on one day, which has to be opened first. */
const authority: Authority = {
  ...unchained,
  needs: { ...unchained.needs, chain: false },
  complete: (draft) => ({ ...unchained.complete(draft as never, { link: null, signature: null }), opening: 't1.2026-03-01' }),
  opening: ({ opening }, { id }) => ({
    ...{ kind: 'deposit', id, method: 'POST', url: 'http://chained.test/openings', headers: {} },
    body: JSON.stringify({ id, opening }),
  }),
};

/** Calls in order: of openings, and of documents by number. An opening fails so often before it is answered. */
function network({ failures = 0, refuses = false } = {}): { http: Http; calls: string[] } {
  const calls: string[] = [];
  let left = failures;
  const http: Http = async ({ url, body = '' }) => {
    const sent = JSON.parse(body) as { id: string; number?: string };
    const isOpening = url.endsWith('/openings');
    calls.push(isOpening ? 'opening' : (sent.number ?? ''));
    if (isOpening && (left -= 1) >= 0) throw new Error('the connection broke');
    const answer = isOpening && refuses ? { id: sent.id, refused: '53' } : { id: sent.id, code: `code of ${sent.number}` };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  };
  return { http, calls };
}
const open = (over: Partial<SystemOptions>): FiscalSystem =>
  new FiscalSystem({ simulatorUrl: 'http://127.0.0.1:1', authorities: new Map([['chained', authority]]), ...over });
const kinds = async (system: FiscalSystem, id: string) => (await system.attempts(id)).map(({ kind, outcome }) => [kind, outcome]);

test('a till is opened once, before its first document, and the others wait for it', async () => {
  const { http, calls } = network();
  const system = open({ http });
  const requests = Array.from({ length: 6 }, () => system.requested({ authority: 'chained' }));
  await system.consumer.on(requests);
  for (const { subject } of requests) await system.until(subject, 'registered');
  expect(calls[0]).toBe('opening');
  expect(calls.filter((call) => call === 'opening')).toHaveLength(1);
  const attempts = await Promise.all(requests.map(({ subject }) => kinds(system, subject)));
  expect(attempts.filter((of) => of.length === 2)).toEqual([
    [
      ['deposit', 'registered'],
      ['submit', 'registered'],
    ],
  ]);
  await system.close();
});

test('an opening without an answer is asked for again: the document is not in doubt', async () => {
  const { http } = network({ failures: 2 });
  const system = open({ http });
  const { document_id } = await system.submit({ authority: 'chained' });
  await system.until(document_id, 'registered');
  expect(await kinds(system, document_id)).toEqual([
    ['deposit', 'deferred'],
    ['deposit', 'deferred'],
    ['deposit', 'registered'],
    ['submit', 'registered'],
  ]);
  await system.close();
});

test('a refused opening rejects the document, which was never sent', async () => {
  const { http, calls } = network({ refuses: true });
  const system = open({ http });
  const { document_id } = await system.submit({ authority: 'chained' });
  expect(await system.until(document_id, 'rejected')).toMatchObject({ error: { code: '53' } });
  expect(calls).toEqual(['opening']);
  await system.close();
});

test('where the process ends during the call, another asks again', async () => {
  const asked = Promise.withResolvers<void>();
  const never: Http = () => (asked.resolve(), new Promise(() => undefined));
  const victim = open({ http: never });
  const request = victim.requested({ authority: 'chained' });
  await victim.consumer.on([request]);
  await asked.promise;
  victim.kill();
  const { http } = network();
  const next = open({ http, sharing: victim, clock: ahead(61_000) });
  await next.consumer.on([request]);
  await next.until(request.subject, 'registered');
  expect(await kinds(next, request.subject)).toEqual([
    ['deposit', 'deferred'],
    ['deposit', 'registered'],
    ['submit', 'registered'],
  ]);
  await next.fiscal.background.beforeApplicationShutdown();
  victim.crash();
  rmSync(victim.folder, { recursive: true });
});

test('a till whose opening a process had begun by a clock that was an hour ahead is opened for the next document', async () => {
  const asked = Promise.withResolvers<void>();
  const victim = open({ http: () => (asked.resolve(), new Promise(() => undefined)), clock: ahead(3_600_000) });
  await victim.submit({ authority: 'chained' });
  await asked.promise;
  victim.kill();
  const { http, calls } = network();
  const next = open({ http, sharing: victim });
  const { document_id, number } = await next.submit({ authority: 'chained' });
  await next.until(document_id, 'registered');
  expect(calls).toEqual(['opening', number]);
  await next.fiscal.background.beforeApplicationShutdown();
  victim.crash();
  rmSync(victim.folder, { recursive: true });
});

test('after a restore from a backup that was made before, the till is opened first', async () => {
  const before = open({ http: () => Promise.reject(new NotSent('it cannot be reached')) });
  const { document_id } = await before.submit({ authority: 'chained' });
  await before.deferred(document_id);
  before.crash();
  const { http, calls } = network();
  const { folder, account } = before;
  const restored = open({ http, folder, restored: { at: iso(systemClock.now() + 1_000) }, clock: ahead(61_000) });
  Object.assign(restored, { account });
  await restored.until(document_id, 'registered');
  expect(calls).toEqual(['opening', expect.any(String)]);
  await restored.close();
});
