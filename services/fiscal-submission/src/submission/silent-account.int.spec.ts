import { prefixed } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import { type Http, NotSent } from '../sending/http.ts';
import { FiscalSystem, ids } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import type { Result } from './domain/facts.ts';
import { readSubmission } from './submissions.ts';

const ORIGIN = 'http://127.0.0.1:1';
const REGISTERED: Result = { kind: 'registered', code: 'C', registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
const authority: Authority = { ...(sandboxAuthority(ORIGIN) as Authority), read: () => REGISTERED };
/** Of which an open circuit lets a document through each 30 s. */
const SOON_MS = 5_000;

test('documents of an account that gets no answer are held, and those of another one are not', async () => {
  let unanswered = 0;
  const http: Http = async ({ headers }) => {
    if (headers['x-taxpayer'] !== `test.${system.account}`) return { status: 200, headers: {}, body: Buffer.from('{}') };
    unanswered += 1;
    throw new NotSent('the authority takes nothing of it');
  };
  const authorities = new Map([[authority.id, authority]]);
  const system = new FiscalSystem({ simulatorUrl: ORIGIN, authorities, http, pace: 'live' });
  const { context, worker } = system.fiscal;
  await system.consumer.on(Array.from({ length: 40 }, () => system.requested()));
  await until(() => worker.breakers.test.get(authority.id)?.isOpen() === true);
  const account = prefixed('acct', ids.next());
  const event = { ...system.requested(), account };
  await system.consumer.on([event]);
  await until(async () => (await readSubmission(context.streams, 'test', account, event.subject)).status === 'registered', SOON_MS);
  expect(unanswered).toBeLessThan(20);
  await system.close();
});
