import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { systemClock, type Clock } from '@svc/kernel';
import { register } from '@svc/service';
import { sandboxAuthority } from '../authorities/sandbox/sandbox.ts';
import type { Http } from '../sending/http.ts';
import { restarted, FiscalSystem, type SystemOptions } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import type { Result } from './domain/facts.ts';

const ORIGIN = 'http://127.0.0.1:1';
/** What a process that died has claimed is due then. */
const AFTER_CLAIMS_MS = 61_000;
const error = { code: '2', message: 'the clocks differ' };
const registered: Result = { kind: 'registered', code: 'C', registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
const refused: Result = { kind: 'deferred', error, fixable: 'setup', ofAll: true };

/** An authority whose clock is `aheadMs` ahead of this machine's: while that is not little, it refuses every message for its time. */
class Elsewhere {
  aheadMs = 300_000;
  /** By how much this machine's clock was set ahead. */
  hereMs = 0;
  readonly clock: Clock = { ...systemClock, now: () => systemClock.now() + this.hereMs };
  /** Methods of the calls. */
  calls: string[] = [];
  /** The call that asks for the time is not answered, or no answer has one. Absent: each says it. */
  silence?: 'look' | 'all';
  readonly http: Http = async ({ method }) => {
    this.calls.push(method);
    if (method === 'GET' && this.silence === 'look') throw new Error('the firewall drops it');
    const isRefused = Math.abs(this.aheadMs) > 60_000;
    const body = Buffer.from(JSON.stringify(isRefused ? refused : registered));
    const date = new Date(this.clock.now() + this.aheadMs).toUTCString();
    return { status: 200, headers: this.silence === 'all' ? {} : { date }, body };
  };
  count = (method: string): number => this.calls.filter((one) => one === method).length;
  async until(method: string, count: number): Promise<void> {
    for (let n = 0; n < 2_000 && this.count(method) < count; n += 1) await systemClock.sleep(10);
    expect(this.count(method)).toBeGreaterThanOrEqual(count);
  }
}
const authority: Authority = {
  ...(sandboxAuthority(ORIGIN) as Authority),
  read: (_message, _ours, { body }) => JSON.parse(String(body)) as Result,
};
const authorities = new Map([[authority.id, authority]]);
const optionsOf = ({ http, clock }: Elsewhere): SystemOptions => ({ simulatorUrl: ORIGIN, authorities, http, clock });
const submit = async (system: FiscalSystem, over: Partial<RegistrationRequested> = {}): Promise<string> =>
  (await system.submit(over)).document_id;

test('after a refusal for its time nothing is sent, by this process, by another or after a restart, until the clocks agree', async () => {
  const elsewhere = new Elsewhere();
  const first = new FiscalSystem(optionsOf(elsewhere));
  const document = await submit(first);
  await first.deferred(document);
  const other = new FiscalSystem({ ...optionsOf(elsewhere), sharing: first });
  const second = await submit(other);
  await elsewhere.until('GET', 3);
  expect(elsewhere.count('POST')).toBe(1);
  expect(await register.getSingleMetricAsString('svc_authority_clock_difference_seconds')).toMatch(
    /authority="sandbox",env="test"\} -(299|30)/,
  );
  await other.fiscal.background.beforeApplicationShutdown();
  first.crash();
  elsewhere.hereMs = AFTER_CLAIMS_MS;

  const next = restarted(first, optionsOf(elsewhere));
  const third = await submit(next);
  await elsewhere.until('GET', elsewhere.count('GET') + 2);
  expect(elsewhere.count('POST')).toBe(1);
  elsewhere.aheadMs = 5_000;
  for (const one of [document, second, third]) await next.until(one, 'registered');
  expect(next.fiscal.worker.breakers.test.get('sandbox')?.isOpen()).toBe(false);
  await next.close();
});

test('the metric says whether messages wait for the clocks', async () => {
  const elsewhere = new Elsewhere();
  const system = new FiscalSystem(optionsOf(elsewhere));
  const held = () => register.getSingleMetricAsString('svc_authority_clock_held');
  expect(await held()).toContain('svc_authority_clock_held{authority="sandbox",env="test"} 0');
  const document = await submit(system);
  await elsewhere.until('GET', 1);
  expect(await held()).toContain('svc_authority_clock_held{authority="sandbox",env="test"} 1');
  expect(await held()).toContain('svc_authority_clock_held{authority="sandbox",env="live"} 0');
  elsewhere.aheadMs = 0;
  await system.until(document, 'registered');
  expect(await held()).toContain('svc_authority_clock_held{authority="sandbox",env="test"} 0');
  await system.close();
});

test('a difference of more than 10 s holds everything on, although it is less than what is refused', async () => {
  const elsewhere = new Elsewhere();
  const system = new FiscalSystem(optionsOf(elsewhere));
  const document = await submit(system);
  await system.deferred(document);
  elsewhere.aheadMs = -20_000;
  await elsewhere.until('GET', elsewhere.count('GET') + 2);
  expect(elsewhere.count('POST')).toBe(1);
  elsewhere.aheadMs = 0;
  await system.until(document, 'registered');
  await system.close();
});

test('a refusal that takes long holds nothing where the clocks agree', async () => {
  const elsewhere = Object.assign(new Elsewhere(), { aheadMs: 0 });
  let isFirst = true;
  const http: Http = async (request) => {
    const answer = await elsewhere.http(request);
    if (!isFirst) return answer;
    isFirst = false;
    const date = new Date(elsewhere.clock.now() + 12_000).toUTCString();
    elsewhere.hereMs = 24_000;
    return { ...answer, headers: { date }, body: Buffer.from(JSON.stringify(refused)) };
  };
  const system = new FiscalSystem({ ...optionsOf(elsewhere), http });
  await system.until(await submit(system), 'registered');
  expect(elsewhere.calls).toEqual(['POST', 'POST']);
  await system.close();
});

describe('once a clock that was an hour ahead is set back', () => {
  const HOUR_MS = 3_600_000;
  const SET_BACK = { aheadMs: 0, hereMs: 0 };
  async function held() {
    const elsewhere = Object.assign(new Elsewhere(), { aheadMs: -HOUR_MS, hereMs: HOUR_MS });
    const system = new FiscalSystem(optionsOf(elsewhere));
    const documents = [await submit(system), await submit(system)];
    await elsewhere.until('GET', 2);
    for (const one of documents) for (let n = 0; n < 500 && !(await waits(system, one)); n += 1) await systemClock.sleep(10);
    return { elsewhere, system, documents };
  }
  const waits = async (system: FiscalSystem, document: string): Promise<boolean> =>
    ((await system.row(document))?.due_at ?? 0) > systemClock.now() + HOUR_MS / 2;

  test('what waited is sent, and what is new', async () => {
    const { elsewhere, system, documents } = await held();
    Object.assign(elsewhere, SET_BACK);
    for (const one of [await submit(system), ...documents]) await system.until(one, 'registered');
    await system.close();
  });

  test('after a restart, too', async () => {
    const { elsewhere, system, documents } = await held();
    system.crash();
    Object.assign(elsewhere, SET_BACK);
    const next = restarted(system, optionsOf(elsewhere));
    for (const one of [await submit(next), ...documents]) await next.until(one, 'registered');
    await next.close();
  });
});

test.each(['look', 'all'] as const)(
  'where nothing says the time (%s), one document is tried now and then, and the others follow it',
  async (silence) => {
    const elsewhere = Object.assign(new Elsewhere(), { silence });
    const system = new FiscalSystem(optionsOf(elsewhere));
    const documents = [await submit(system)];
    await system.deferred(documents[0] as string);
    for (let n = 0; n < 5; n += 1) documents.push(await submit(system));
    const [posts, looks] = [elsewhere.count('POST'), elsewhere.count('GET')];
    await elsewhere.until('POST', posts + 3);
    // Each waits for the one before it, and looks again.
    expect(elsewhere.count('GET') - looks).toBeGreaterThanOrEqual(2);
    elsewhere.aheadMs = 0;
    for (const one of documents) await system.until(one, 'registered');
    expect(system.fiscal.worker.breakers.test.get('sandbox')?.isOpen()).toBe(false);
    await system.close();
  },
);
