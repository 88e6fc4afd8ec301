import type { Collection } from '@svc/document-store';
import { iso, millisOf, type Clock, type Env } from '@svc/kernel';
import { Gauge } from '@svc/service';
import type { Credentials } from './credentials.ts';
import { NOTICES } from './expiring.ts';

interface Measured {
  credentials: Pick<Collection<Credentials>, 'count'>;
  clock: Pick<Clock, 'now'>;
  /** Certificates of the installation, by authority. `expires_at`: ISO 8601; absent: they have no end. */
  installed: ReadonlyMap<string, { expires_at?: string }>;
}

let measured: Measured | undefined;

const SOON_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;
const ENVIRONMENTS: readonly Env[] = ['live', 'test'];

new Gauge({
  name: 'svc_fiscal_credentials',
  help: 'Certificates of accounts by what is left of them: valid, expiring (within 30 days), expired',
  labelNames: ['env', 'state'],
  async collect() {
    if (!measured) return;
    const { credentials, clock } = measured;
    const [now, soon] = [iso(clock.now()), iso(clock.now() + SOON_MS)];
    for (const env of ENVIRONMENTS) {
      const until = (expires_at: object): Promise<number> => credentials.count({ env, deleted_at: null, expires_at });
      this.set({ env, state: 'expired' }, await until({ $lte: now }));
      this.set({ env, state: 'expiring' }, await until({ $gt: now, $lte: soon }));
      this.set({ env, state: 'valid' }, await until({ $gt: soon }));
    }
  },
});

new Gauge({
  name: 'svc_fiscal_credentials_expiring',
  help: 'Certificates of accounts that expire within so many days',
  labelNames: ['env', 'days'],
  async collect() {
    if (!measured) return;
    const { credentials, clock } = measured;
    const now = clock.now();
    for (const env of ENVIRONMENTS)
      for (const days of NOTICES)
        this.set(
          { env, days },
          await credentials.count({ env, deleted_at: null, expires_at: { $gt: iso(now), $lte: iso(now + days * DAY_MS) } }),
        );
  },
});

new Gauge({
  name: 'svc_fiscal_installed_certificate_expiry_timestamp_seconds',
  help: 'When the certificate expires with which this installation sends for issuers without one',
  labelNames: ['authority'],
  collect() {
    for (const [authority, { expires_at: at }] of measured?.installed ?? []) if (at) this.set({ authority }, millisOf(at) / 1000);
  },
});

/** Exports when the installation's certificates expire, how many certificates of accounts are valid, and how many expire. */
export function measureCredentials(of: Measured): void {
  measured = of;
}
