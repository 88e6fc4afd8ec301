import type { AlertCase } from '../alert-case.ts';

/** Of the alerts that only the one-process form has. */
export const oneProcess: AlertCase[] = [
  {
    alert: 'DiskNearlyFull',
    chart: 'one-process',
    fires: { svc_disk_free_bytes: '80x240', svc_disk_size_bytes: '1000x240' },
    after: 0,
    labels: { namespace: 'billing', pod: 'one-process-7c9f-x2v4z' },
    says: '8% of the disk of the data folder are free.',
    silent: [{ svc_disk_free_bytes: '80x15 200x225', svc_disk_size_bytes: '1000x240' }],
  },
  {
    alert: 'DataFolderFailing',
    chart: 'one-process',
    fires: { 'svc_server_up{server="data folder"}': '0x240' },
    after: 0,
    labels: { namespace: 'billing', pod: 'one-process-7c9f-x2v4z', server: 'data folder' },
    says: 'The embedded engine cannot write to its data folder. /readyz of the operators’ port has the reason.',
    silent: [{ 'svc_server_up{server="data folder"}': '1x10 0 1x229', 'svc_server_up{server="kafka"}': '0x240' }],
  },
  {
    alert: 'WalHeld',
    chart: 'one-process',
    fires: { svc_wal_bytes: '2147483648x240', svc_disk_free_bytes: '1000000000000x240' },
    after: 0,
    labels: { namespace: 'billing', pod: 'one-process-7c9f-x2v4z' },
    says: 'data.sqlite-wal has 2GiB. Another program that reads the data folder keeps it from being emptied.',
    silent: [
      { svc_wal_bytes: '67108864x240', svc_disk_free_bytes: '1000000000000x240' },
      { svc_wal_bytes: '67108864x10 2147483648 67108864x229', svc_disk_free_bytes: '1000000000000x240' },
    ],
  },
  {
    alert: 'WalHeld',
    chart: 'one-process',
    fires: { svc_wal_bytes: '67108864x240', svc_disk_free_bytes: '500000000x240' },
    after: 0,
    labels: { namespace: 'billing', pod: 'one-process-7c9f-x2v4z' },
    says: 'data.sqlite-wal has 64MiB. Another program that reads the data folder keeps it from being emptied.',
    silent: [{ svc_wal_bytes: '67108864x240', svc_disk_free_bytes: '700000000x240' }],
  },
  {
    alert: 'BackupOld',
    chart: 'one-process',
    fires: { svc_backup_newest_timestamp_seconds: '0x240', svc_backup_interval_seconds: '590x240' },
    after: 35,
    labels: { namespace: 'billing', pod: 'one-process-7c9f-x2v4z' },
    says: 'No backup that was found to be whole is younger than two of the intervals that BACKUP_EVERY says.',
    silent: [
      { svc_backup_newest_timestamp_seconds: '0x240', svc_backup_interval_seconds: '86400x240' },
      { svc_backup_newest_timestamp_seconds: '0+60x240', svc_backup_interval_seconds: '600x240' },
    ],
  },
  {
    alert: 'CopyOld',
    chart: 'one-process',
    fires: { svc_backup_copy_timestamp_seconds: '0x240' },
    after: 1.5,
    labels: { namespace: 'billing', pod: 'one-process-7c9f-x2v4z' },
    says: 'The continuous copy of the data folder has not had everything for five minutes. What was acknowledged since is lost with the disk.',
    silent: [{ svc_backup_copy_timestamp_seconds: '0+30x240' }],
  },
];
