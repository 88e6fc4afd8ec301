import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso, prefixed, systemClock } from '@svc/kernel';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import type { Http } from '../sending/http.ts';
import { FiscalSystem, ids, restarted, type SystemOptions } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import type { Result } from './domain/facts.ts';
import { readSubmission } from './submissions.ts';

const BACKLOG = 10_000;
const MOST_MS = 5_000;
/** Of one call. */
const CALL_MS = 50;
const REGISTERED: Result = { kind: 'registered', code: 'code', registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };

/** An authority that answers in 50 ms; the calls of `silent` accounts end after ten seconds, without an answer. */
function network(silent: ReadonlySet<string>) {
  const authority = {
    ...sandboxAuthority('http://127.0.0.1:1'),
    needs: { ...sandboxAuthority('http://127.0.0.1:1').needs, query: false },
    read: () => REGISTERED,
  } as unknown as Authority;
  const http: Http = async ({ headers }) => {
    const isSilent = silent.has(headers['x-taxpayer'] ?? '');
    await systemClock.sleep(isSilent ? 10_000 : CALL_MS);
    if (isSilent) throw new Error('no answer');
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  };
  return { http, authorities: new Map([['sandbox', authority]]) };
}

/** Documents of another account, one a second, and the longest time from the request to the code, in milliseconds. */
async function longestOf(system: FiscalSystem, documents: number): Promise<number> {
  const account = prefixed('acct', ids.next());
  const all = Array.from({ length: documents }, async (_, n) => {
    await systemClock.sleep(n * 1_000);
    const event = { ...system.requested(), account };
    const began = systemClock.now();
    await system.consumer.on([event]);
    for (;;) {
      const { status } = await readSubmission(system.fiscal.context.streams, 'test', account, event.data.document_id);
      if (status === 'registered') return systemClock.now() - began;
      await systemClock.sleep(20);
    }
  });
  return Math.max(...(await Promise.all(all)));
}

async function backlogOf(system: FiscalSystem): Promise<void> {
  for (let n = 0; n < BACKLOG; n += 500) {
    const events = Array.from({ length: 500 }, (): PublicEvent<RegistrationRequested> => system.requested());
    await system.consumer.on(events);
  }
}

const waiting = (system: FiscalSystem): Promise<number> =>
  system.fiscal.context.rows.count({ authority: 'sandbox', env: 'test', waits_for: 'authority' });

let system: FiscalSystem;
afterEach(() => system.close());

test('a backlog of 10,000 documents of one account, silent or answered, delays no registration of another by more than 5 s', async () => {
  const silent = new Set<string>();
  const options: SystemOptions = { simulatorUrl: 'http://127.0.0.1:1', pace: 'live', ...network(silent) };
  system = new FiscalSystem(options);
  silent.add(`test.${system.account}`);
  const figures: Record<string, number> = { alone: await longestOf(system, 5) };
  const began = systemClock.now();
  const opened = backlogOf(system);
  figures['while it comes'] = await longestOf(system, 20);
  await opened;
  figures['opened in s'] = Math.round((systemClock.now() - began) / 1_000);
  figures['while it gets no answers'] = await longestOf(system, 30);
  expect(await waiting(system)).toBeGreaterThan(BACKLOG - 500);
  system.crash();
  silent.clear();
  // All of it is due at once.
  system = restarted(system, options);
  figures['after a restart, answered'] = await longestOf(system, 30);
  figures['left then'] = await waiting(system);
  console.info(iso(systemClock.now()), figures);
  const { alone = 0, ...others } = figures;
  for (const name of ['while it comes', 'while it gets no answers', 'after a restart, answered'])
    expect((others[name] ?? Infinity) - alone).toBeLessThan(MOST_MS);
}, 500_000);
