import { statfs } from 'node:fs/promises';
import type { Engine } from '@svc/embedded';
import { Counter, Gauge } from '@svc/service';

/** A metric with the value of this time. */
const gauge = (name: string, help: string, value: () => number | Promise<number>): unknown =>
  new Gauge({
    name,
    help,
    async collect() {
      this.set(await value());
    },
  });

/** A metric with what was counted so far. */
const counter = (name: string, help: string, count: () => number): unknown =>
  new Counter({
    name,
    help,
    collect() {
      this.reset();
      this.inc(count());
    },
  });

/** Metrics of how many writes share a commit; each commit is one fdatasync. */
export function measureEngine(engine: Engine): void {
  counter('svc_embedded_commits_total', 'Transactions committed by the embedded engine', () => engine.counters.commits);
  counter('svc_embedded_writes_total', 'Writes in those transactions', () => engine.counters.writes);
}

/** Metrics of the WAL: its size, and whether a reader of another process keeps it from being emptied. */
export function measureWal(engine: Engine): void {
  gauge('svc_wal_bytes', 'Size of data.sqlite-wal', () => engine.wal.bytes);
  gauge('svc_wal_held', '1 while another process reads data.sqlite and keeps its WAL from being emptied', () => Number(engine.wal.isHeld));
}

/** Metrics of the disk that the data folder is on, as an unprivileged process may use it. */
export function measureDisk(folder: string): void {
  const bytes = async (blocks: 'bavail' | 'blocks'): Promise<number> => {
    const disk = await statfs(folder);
    return disk[blocks] * disk.bsize;
  };
  gauge('svc_disk_free_bytes', 'Free bytes of the disk that the data folder is on', () => bytes('bavail'));
  gauge('svc_disk_size_bytes', 'Size of the disk that the data folder is on', () => bytes('blocks'));
}

/** Metrics of the continuous copy, for the alert by its age. */
export function measureCopy(copy: { newestSeconds(): number; failures(): number }): void {
  const newest = 'The second up to which the continuous copy has everything; 0: it has no base yet';
  gauge('svc_backup_copy_timestamp_seconds', newest, () => copy.newestSeconds());
  const failures = 'Tries of the continuous copy, one a second, that could not write to its folder';
  counter('svc_backup_copy_failures_total', failures, () => copy.failures());
}

/** Metrics of scheduled backups, for the alert by their age. */
export function measureBackups(backups: { newestSeconds(): number; failures(): number }, every: number): void {
  const newest = 'When the newest scheduled and verified backup was made; 0: there is none';
  gauge('svc_backup_newest_timestamp_seconds', newest, () => backups.newestSeconds());
  gauge('svc_backup_interval_seconds', 'Time from one scheduled backup to the next', () => every / 1_000);
  const failures = 'Scheduled backups that could not be made, or were found not to be whole';
  counter('svc_backup_failures_total', failures, () => backups.failures());
}
