import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock } from '@svc/kernel';
import { eventually } from '@svc/testkit';
import { backupsOf } from './backup.ts';
import { startBackups, type ScheduledBackupsOptions } from './scheduled-backups.ts';

const HOUR = 3_600_000;
let root: string;
let data: string;
let backups: string;
let engine: Engine;
let clock: FakeClock;
let errors: string[];
let scheduled: ReturnType<typeof startBackups> | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'schedule-'));
  [data, backups] = [join(root, 'data'), join(root, 'backups')];
  engine = Engine.open(data, { durable: false });
  writeFileSync(join(data, 'secrets.json'), '{}');
  clock = new FakeClock(0);
  errors = [];
});
afterEach(async () => {
  await scheduled?.stop();
  engine.close();
  rmSync(root, { recursive: true });
});

const whole = async () => ({ ok: true, problems: [] });
function start(over: Partial<ScheduledBackupsOptions> = {}): void {
  const logger = {
    info: () => undefined,
    error: ({ err }: { err: Error }) => errors.push(err.message),
  } as unknown as ScheduledBackupsOptions['logger'];
  scheduled = startBackups({
    schedule: { every: HOUR, folder: backups, keep: 2, secrets: true, continuous: false },
    ...{ system: 's1', dataFolder: data, verify: whole, clock, logger },
    backUp: backupsOf({ engine, folder: data, databases: [], clock }),
    ...over,
  });
}
const names = (): string[] => readdirSync(backups).sort();
const made = (hours: number): string => `s1-1970-01-01T0${hours}-00-00Z`;
/** The clock stands while a backup is made of real files. */
const untilMade = (count: number) =>
  eventually(() => readdirSync(root).includes('backups') && names().includes(made(count)), `backup ${count}`);

test('makes one at once and one each interval, verified, and keeps the newest of its own', async () => {
  mkdirSync(join(backups, 's2-1970-01-01T00-00-00Z'), { recursive: true });
  writeFileSync(join(backups, 'notes'), '');
  const verified: string[] = [];
  start({ verify: async (folder) => (verified.push(folder), whole()) });
  await untilMade(0);
  for (const hour of [1, 2]) {
    await clock.advance(HOUR);
    await untilMade(hour);
  }
  await eventually(() => !names().includes(made(0)), 'the removal of the oldest');
  expect(names()).toEqual(['notes', made(1), made(2), 's2-1970-01-01T00-00-00Z']);
  expect(readdirSync(join(backups, made(2))).sort()).toEqual(['data.sqlite', 'secrets.json']);
  expect(verified).toEqual([0, 1, 2].map((hour) => join(backups, `${made(hour)}.unverified`)));
  expect([scheduled?.newestSeconds(), scheduled?.failures()]).toEqual([7_200, 0]);
});

test('a restart within the interval makes none, and one after it makes one', async () => {
  start();
  await untilMade(0);
  await scheduled?.stop();
  await clock.advance(HOUR / 2);
  start();
  await clock.advance(HOUR / 4);
  expect(names()).toEqual([made(0)]);
  await clock.advance(HOUR / 4);
  await untilMade(1);
});

test('one that is not whole does not count, removes none, and is replaced by the next try', async () => {
  start();
  await untilMade(0);
  await scheduled?.stop();
  await clock.advance(HOUR);
  let isWhole = false;
  start({ verify: async () => ({ ok: isWhole, problems: ['gateway: no key decrypts 1 of peppers'] }) });
  await eventually(() => scheduled?.failures() === 1, 'the failure');
  expect(errors).toEqual([expect.stringContaining('no key decrypts 1 of peppers')]);
  expect(names()).toEqual([made(0), `${made(1)}.unverified`]);
  expect(scheduled?.newestSeconds()).toBe(0);
  isWhole = true;
  await clock.advance(10 * 60_000);
  await eventually(() => names().length === 2 && !names().some((name) => name.includes('unverified')), 'the next try');
});

test('a folder that cannot be read is a failure that is tried again, and a copy of a time to come counts as none', async () => {
  writeFileSync(backups, 'a file in its place');
  start();
  await eventually(() => scheduled?.failures() === 1, 'the failure');
  expect([errors, scheduled?.newestSeconds()]).toEqual([[expect.stringContaining('ENOTDIR')], 0]);
  rmSync(backups);
  mkdirSync(join(backups, 's1-2090-01-01T00-00-00Z'), { recursive: true });
  await clock.advance(10 * 60_000);
  await eventually(() => names().includes('s1-1970-01-01T00-10-00Z'), 'the next try');
  await eventually(() => scheduled?.newestSeconds() === 600, 'its time');
  expect(names()).toEqual(['s1-1970-01-01T00-10-00Z', 's1-2090-01-01T00-00-00Z']);
});

test('a continuous copy that has no base gets one before the next is due, and those that lead to it', async () => {
  const base = { chain: 'c1', after: 3 };
  let used: unknown[] = [];
  const needs = (): boolean => !used.some((one) => (one as typeof base).chain === base.chain);
  start({ copy: { base: () => base, needsBase: needs, useBases: async (bases) => void (used = [...bases]) } });
  await untilMade(0);
  await eventually(() => !needs(), 'the base');
  base.chain = 'c2';
  await clock.advance(10_000);
  await eventually(() => names().length === 2, 'the next base');
  await eventually(() => !needs(), 'its use');
  expect(used).toEqual([
    { chain: 'c1', after: 3 },
    { chain: 'c2', after: 3 },
  ]);
  await clock.advance(60_000);
  expect(names()).toHaveLength(2);
});
