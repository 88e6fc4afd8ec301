import { statfs } from 'node:fs/promises';
import type { Engine } from '@svc/embedded';
import { Counter, Gauge } from '@svc/service';

/** Metrics of how many writes share a commit; each commit is one fdatasync. */
export function measureEngine(engine: Engine): void {
  for (const [name, help, count] of [
    ['svc_embedded_commits_total', 'Transactions committed by the embedded engine', () => engine.counters.commits],
    ['svc_embedded_writes_total', 'Writes in those transactions', () => engine.counters.writes],
  ] as const)
    new Counter({
      name,
      help,
      collect() {
        this.reset();
        this.inc(count());
      },
    });
}

/** Metrics of the WAL: its size, and whether a reader of another process keeps it from being emptied. */
export function measureWal(engine: Engine): void {
  for (const [name, help, value] of [
    ['svc_wal_bytes', 'Size of data.sqlite-wal', () => engine.wal.bytes],
    ['svc_wal_held', '1 while another process reads data.sqlite and keeps its WAL from being emptied', () => Number(engine.wal.isHeld)],
  ] as const)
    new Gauge({
      name,
      help,
      collect() {
        this.set(value());
      },
    });
}

/** Metrics of the disk that the data folder is on, as an unprivileged process may use it. */
export function measureDisk(folder: string): void {
  for (const [name, help, blocks] of [
    ['svc_disk_free_bytes', 'Free bytes of the disk that the data folder is on', 'bavail'],
    ['svc_disk_size_bytes', 'Size of the disk that the data folder is on', 'blocks'],
  ] as const)
    new Gauge({
      name,
      help,
      async collect() {
        const disk = await statfs(folder);
        this.set(disk[blocks] * disk.bsize);
      },
    });
}

/** Metrics of the continuous copy, for the alert by its age. */
export function measureCopy(copy: { newestSeconds(): number; failures(): number }): void {
  new Gauge({
    name: 'svc_backup_copy_timestamp_seconds',
    help: 'The second up to which the continuous copy has everything; 0: it has no base yet',
    collect() {
      this.set(copy.newestSeconds());
    },
  });
  new Counter({
    name: 'svc_backup_copy_failures_total',
    help: 'Tries of the continuous copy, one a second, that could not write to its folder',
    collect() {
      this.reset();
      this.inc(copy.failures());
    },
  });
}

/** Metrics of scheduled backups, for the alert by their age. */
export function measureBackups(backups: { newestSeconds(): number; failures(): number }, every: number): void {
  for (const [name, help, value] of [
    [
      'svc_backup_newest_timestamp_seconds',
      'When the newest scheduled and verified backup was made; 0: there is none',
      () => backups.newestSeconds(),
    ],
    ['svc_backup_interval_seconds', 'Time from one scheduled backup to the next', () => every / 1_000],
  ] as const)
    new Gauge({
      name,
      help,
      collect() {
        this.set(value());
      },
    });
  new Counter({
    name: 'svc_backup_failures_total',
    help: 'Scheduled backups that could not be made, or were found not to be whole',
    collect() {
      this.reset();
      this.inc(backups.failures());
    },
  });
}
