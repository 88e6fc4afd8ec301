import { iso, systemClock } from '@svc/kernel';
import { register } from '@svc/service';
import { chainedAuthority, chainedLedger } from '../authorities/testing/chained-authority.ts';
import { NotSent, outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem, type LogLine } from '../testing/system.ts';
import type { Authority } from './authority.ts';
import type { Row } from './row.ts';

let simulator: SimulatorProcess;
let system: FiscalSystem;
let isAway: boolean;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => Promise.all([simulator.stop(), outgoing.close()]));
beforeEach(() => {
  isAway = false;
  register.resetMetrics();
  system = new FiscalSystem({
    simulatorUrl: simulator.url,
    http: (request) => (isAway ? Promise.reject(new NotSent('away')) : outgoing.http(request)),
  });
});
afterEach(() => system.close());

/** The value of a metric of the sandbox's authority in the test environment. */
async function valueOf(name: string, more = ''): Promise<number> {
  const text = await register.getSingleMetricAsString(name.replace(/_count$/, ''));
  const [, value] = new RegExp(`^${name}\\{authority="sandbox",env="test"${more}\\} (.+)$`, 'm').exec(text) ?? [];
  return Number(value);
}
const outcomes = async (): Promise<Record<string, number>> => ({
  opened: await valueOf('svc_submissions_total', ',outcome="opened"'),
  registered: await valueOf('svc_submissions_total', ',outcome="registered"'),
  rejected: await valueOf('svc_submissions_total', ',outcome="rejected"'),
});
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 5_000; waited += 10) {
    if (await condition()) return;
    await systemClock.sleep(10);
  }
  throw new Error(`not within 5 s: ${String(condition)}`);
}

test('a document waits for its authority from the request to the fiscal code, which takes the time that is shown', async () => {
  isAway = true;
  const { document_id } = await system.submit();
  await system.deferred(document_id);
  expect([await valueOf('svc_submissions_waiting'), await valueOf('svc_submissions_in_review')]).toEqual([1, 0]);
  expect(await valueOf('svc_submissions_oldest_seconds')).toBeGreaterThan(0);
  expect(await outcomes()).toEqual({ opened: 1, registered: 0, rejected: 0 });
  isAway = false;
  await until(async () => (await valueOf('svc_submissions_waiting')) === 0);
  expect(await valueOf('svc_submissions_oldest_seconds')).toBe(0);
  expect(await valueOf('svc_registration_seconds_count')).toBe(1);
  expect(await outcomes()).toEqual({ opened: 1, registered: 1, rejected: 0 });
});

test('the age is that of the document that waits longest, whatever is tried meanwhile', async () => {
  isAway = true;
  const first = await system.submit();
  await system.deferred(first.document_id);
  await system.deferred((await system.submit()).document_id);
  expect(await valueOf('svc_submissions_waiting')).toBe(2);
  const { waits_since } = (await system.row(first.document_id)) as Row;
  const age = (): number => (systemClock.now() - (waits_since ?? 0)) / 1000;
  const before = age();
  const shown = await valueOf('svc_submissions_oldest_seconds');
  expect(shown).toBeGreaterThanOrEqual(before);
  expect(shown).toBeLessThanOrEqual(age());
});

test('a rejected document does not wait, one that the authority has another record of for a review', async () => {
  const rejected = await system.submit({ simulate: 'reject' });
  await system.until(rejected.document_id, 'rejected');
  const doubtful = await system.submit({ simulate: 'duplicate_foreign' });
  await system.until(doubtful.document_id, 'needs_review');
  await until(async () => (await valueOf('svc_submissions_in_review')) === 1);
  await until(async () => (await valueOf('svc_submissions_waiting')) === 0);
  expect(await valueOf('svc_submissions_oldest_seconds')).toBe(0);
  expect((await outcomes())['rejected']).toBe(1);
});

test('the log leads to a document in review and to a rejected one, and says nothing of what is in them', async () => {
  const rejected = await system.submit({ simulate: 'reject' });
  const doubtful = await system.submit({ simulate: 'duplicate_foreign' });
  const lines = (): LogLine[] => system.logged.filter(({ msg }) => /^a document (needs a review|was rejected)$/.test(msg));
  await until(async () => lines().length === 2);
  const { account } = system;
  const of = { level: 30, time: expect.anything() as unknown, service: 'fiscal-submission', account, env: 'test', authority: 'sandbox' };
  expect(lines()).toEqual(
    expect.arrayContaining([
      { ...of, document: rejected.document_id, code: expect.any(String) as string, msg: 'a document was rejected' },
      { ...of, document: doubtful.document_id, code: 'duplicate_foreign', msg: 'a document needs a review' },
    ]),
  );
});

test('ten documents in a row without an answer open the circuit', async () => {
  const isOpen = async (): Promise<boolean> =>
    (await register.getSingleMetricAsString('svc_authority_circuit_open')).includes('{authority="sandbox",env="test"} 1');
  isAway = true;
  for (let n = 1; n <= 10; n += 1) {
    expect(await isOpen()).toBe(false);
    await system.deferred((await system.submit()).document_id);
  }
  await until(isOpen);
  isAway = false;
  await until(async () => !(await isOpen()));
});

test('counts what has no code and that its authority takes for less than twelve hours, until it is registered', async () => {
  const ledger = chainedLedger();
  const [end, isThere] = [systemClock.now() + 6 * 3_600_000, Promise.withResolvers<void>()];
  const authority: Authority = { ...chainedAuthority(), deadline: () => iso(end) };
  const of = new FiscalSystem({
    simulatorUrl: simulator.url,
    authorities: new Map([['chained', authority]]),
    http: (request) => isThere.promise.then(() => ledger.http(request)),
  });
  const soon = async (): Promise<number> => {
    const text = await register.getSingleMetricAsString('svc_submissions_deadline_soon');
    return Number(/\{authority="chained",env="test"\} (.+)$/m.exec(text)?.[1]);
  };
  const { document_id } = await of.submit({ authority: 'chained' });
  expect(await soon()).toBe(1);
  isThere.resolve();
  await of.until(document_id, 'registered');
  await until(async () => (await soon()) === 0);
  await of.close();
});
