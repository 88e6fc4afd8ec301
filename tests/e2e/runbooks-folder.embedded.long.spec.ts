import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, eventually, startSystem, type Call, type System } from '@svc/testkit';
import { follow, type Fault } from './testing/runbooks/follow.ts';
import { openRunbooks, type Runbooks } from './testing/runbooks/runbook.ts';

const OPS_TOKEN = 'a-token-for-operators-at-night-012345';
/** The disk of the data folder. */
const DISK = '256m';
const MIB = 2 ** 20;

let disk: string;
let other: string;
let system: System;
let runbooks: Runbooks;
beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), 'runbooks-disk-'));
  other = mkdtempSync(join(tmpdir(), 'runbooks-other-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]);
  mkdirSync(join(other, 'backups'));
  symlinkSync(join(other, 'backups'), join(disk, 'data-backups'));
  const backups = { BACKUP_EVERY: '1h', BACKUP_CONTINUOUS: 'true' };
  system = await startSystem({ OPS_TOKEN, LOG_LEVEL: 'info', ...backups }, disk);
  runbooks = openRunbooks(() => system, OPS_TOKEN);
});
afterEach(() => rmSync(filler(), { force: true }));
afterAll(async () => {
  reader?.kill('SIGKILL');
  runbooks?.remove();
  await system?.kill();
  execFileSync('umount', ['--lazy', disk]);
  for (const folder of [disk, other]) rmSync(folder, { recursive: true, force: true });
});

const call: Call = (...request) => client(`${system.url}/v1`, system.setup.test_key)(...request);
const write = async (): Promise<number> => (await call('POST', '/customers', { body: { name: 'Blue Door Books' } })).status;
const isWritten = async (): Promise<boolean> => (await write()) === 201;

const filler = (): string => join(disk, 'filler');
/** Writes until so many bytes are free. */
function fill(free: number): void {
  for (;;) {
    const { bavail, bsize } = statfsSync(disk);
    const bytes = Math.min(MIB, bavail * bsize - free);
    if (bytes <= 0) return;
    writeFileSync(filler(), Buffer.alloc(bytes), { flag: 'a' });
  }
}
const fullDisk = async (): Promise<void> => {
  fill(0);
  await eventually(async () => (await write()) === 503, 'a write is refused');
  for (let n = 0; n < 5; n += 1) await write();
};
const freeDisk = () => rmSync(filler());
const failed = /^svc_http_request_seconds_count\{.*status="503"/;

const backupsAway = (): void => {
  renameSync(join(other, 'backups'), join(other, 'away'));
  writeFileSync(join(other, 'backups'), '');
};
const backupsBack = (): void => {
  rmSync(join(other, 'backups'));
  renameSync(join(other, 'away'), join(other, 'backups'));
};
const copied = /^svc_backup_copy_timestamp_seconds/;

/** Another program with a transaction open on the live database. */
let reader: ChildProcess | undefined;
const READS = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1], { readOnly: true });
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  console.log('reads');
  setInterval(() => {}, 1_000);`;

const faults: Fault[] = [
  {
    page: 'DiskNearlyFull',
    plant: async () => fill(20 * MIB),
    fires: (sum) => sum(/^svc_disk_free_bytes/) / sum(/^svc_disk_size_bytes/) < 0.1,
    sees: () => [/ 9\d% /, /svc_disk_free_bytes \d/, 'data.sqlite'],
    mend: async () => freeDisk(),
  },
  {
    page: 'DataFolderFailing',
    plant: fullDisk,
    fires: (sum) => sum(/^svc_server_up\{.*server="data folder"/) === 0,
    sees: () => [/"data folder":"[^"]*disk/, ' 100% '],
    mend: async () => freeDisk(),
    ends: () => eventually(isWritten, 'a write'),
  },
  {
    page: 'StoreFailing',
    async plant() {
      await fullDisk();
      for (let n = 0; n < 5; n += 1) await call('POST', '/products', { body: { name: 'Book', unit_price: 1 } });
    },
    fires: (sum) => sum(/^svc_store_failures_total\{/) > 1,
    sees: () => [/svc_store_failures_total\{store="sqlite",operation="write"\} [1-9]/, /"data folder": "[^"]*disk/, /"level":50.*disk/],
    mend: async () => freeDisk(),
    ends: () => eventually(isWritten, 'a write'),
  },
  {
    page: 'NotReady',
    plant: fullDisk,
    fires: (sum) => sum(/^svc_ready/) === 0,
    sees: () => [/"data folder": "[^"]*disk/, 'is on a disk'],
    mend: async () => freeDisk(),
  },
  {
    page: 'ApiErrors',
    plant: fullDisk,
    fires: (sum) => sum(failed) > 5,
    sees: () => [/status="503"\} \d/, /request failed.*|.*"code":"service_unavailable"/, /"data folder": "[^"]*disk/],
    mend: async () => freeDisk(),
    ends: () => eventually(isWritten, 'a write'),
  },
  {
    page: 'ErrorBudget',
    plant: fullDisk,
    fires: (sum) => sum(failed) > 5,
    sees: () => [/status="503"\} \d/, 'request failed', /svc_build_info\{.*version="/],
    mend: async () => freeDisk(),
    ends: () => eventually(isWritten, 'a write'),
  },
  {
    page: 'CopyOld',
    async plant() {
      await eventually(async () => (await metric(copied)) > 0, 'the base of the copy', 180_000);
      backupsAway();
      await write();
    },
    fires: (sum) => sum(/^svc_backup_copy_failures_total/) > 0,
    sees: () => [/svc_backup_copy_failures_total [1-9]/, 'svc_backup_copy_timestamp_seconds', /\d% /],
    mend: async () => backupsBack(),
    async ends() {
      const now = Date.now();
      await eventually(async () => (await metric(copied)) * 1_000 >= now, 'the copy has everything');
    },
  },
  {
    page: 'BackupOld',
    async plant() {
      backupsAway();
      await system.kill();
      system = await system.restart();
    },
    fires: (sum) => sum(/^svc_backup_failures_total/) > 0,
    sees: () => [/svc_backup_failures_total [1-9]/, 'svc_backup_newest_timestamp_seconds'],
    async mend() {
      backupsBack();
      const [name = ''] = execFileSync('ls', [join(other, 'backups')], { encoding: 'utf8' })
        .split('\n')
        .filter((one) => /Z$/.test(one));
      expect(await runbooks.run('BackupOld', 'verify', { FOLDER: join(other, 'backups', name) })).toContain('"ok": true');
    },
    ends: () => Promise.resolve(), // the next try is ten minutes later
  },
  {
    page: 'WalHeld',
    async plant() {
      const child = (reader = spawn(process.execPath, ['-e', READS, join(disk, 'data', 'data.sqlite')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }));
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await eventually(async () => {
        await Promise.all(Array.from({ length: 20 }, largeCustomer));
        return (await metric(/^svc_wal_bytes/)) > 0.1 * (await metric(/^svc_disk_free_bytes/));
      }, 'the WAL grows');
    },
    fires: (sum) => sum(/^svc_wal_held/) === 1 && sum(/^svc_wal_bytes/) > 0.1 * sum(/^svc_disk_free_bytes/),
    sees: () => ['svc_wal_held 1', new RegExp(`\\b${reader?.pid}\\b`)],
    mend: async () => reader?.kill('SIGKILL'),
  },
];

async function metric(series: RegExp): Promise<number> {
  const lines = (await (await fetch(`${system.ops}/metrics`)).text()).split('\n');
  return Number(
    lines
      .find((line) => series.test(line))
      ?.split(' ')
      .at(-1),
  );
}
const largeCustomer = () =>
  call('POST', '/customers', {
    body: { name: 'Large', metadata: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, 'x'.repeat(400)])) },
  });

test.each(faults)('$page: its commands find the fault, and what it says ends it', (fault) => follow(fault, () => system, runbooks));

test('MetricsMissing: nothing answers, its commands say so, and a start ends it', async () => {
  await system.kill();
  expect(await runbooks.look('MetricsMissing')).toMatch(/operators’ port \d+ .* does not answer/);
  system = await system.restart();
  expect(await runbooks.look('MetricsMissing')).toContain('"status": "ok"');
});
