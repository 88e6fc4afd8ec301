import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Clock, Env } from '@svc/kernel';
import { Gauge } from '@svc/service';
import type { Authority } from '../submission/authority.ts';

/** A check is one TLS handshake. */
const CHECK_EVERY_MS = 60_000;
const WITHIN_MS = 10_000;

interface Checked {
  /** Milliseconds since 1970; undefined where it could not be read. */
  expiresAt: number | undefined;
  at: number;
}

/** A connection, and what its server shows. */
interface Watched {
  id: string;
  env: Env;
  origin: string;
}

let refresh: () => ReadonlyMap<Watched, Checked> = () => new Map();

new Gauge({
  name: 'svc_authority_certificate_expiry_timestamp_seconds',
  help: 'When the certificate expires with which an authority answers, in seconds since 1970; none for one that is called without TLS.',
  labelNames: ['authority', 'env'],
  collect() {
    this.reset();
    for (const [{ id, env }, { expiresAt }] of refresh())
      if (expiresAt !== undefined) this.set({ authority: id, env }, Math.floor(expiresAt / 1000));
  },
});

/** Exports when the certificates of the authorities expire. They are checked when the metrics are read, and shown at the next reading. */
export function measureCertificates(authorities: Readonly<Record<Env, Iterable<Pick<Authority, 'id' | 'origin'>>>>, clock: Clock): void {
  const checked = new Map<Watched, Checked>();
  const measured = (['live', 'test'] as const).flatMap((env) =>
    Array.from(authorities[env], ({ id, origin }) => ({ id, env, origin })).filter(({ origin }) => origin.startsWith('https:')),
  );
  refresh = () => {
    const now = clock.now();
    for (const one of measured) {
      const last = checked.get(one);
      if (last && now - last.at < CHECK_EVERY_MS) continue;
      checked.set(one, { expiresAt: last?.expiresAt, at: now });
      void certificateExpiry(one.origin, clock).then((expiresAt) => expiresAt !== undefined && checked.set(one, { expiresAt, at: now }));
    }
    return checked;
  };
}

/** When the certificate of an https origin expires, in milliseconds since 1970, whether it is valid or not; undefined: no answer within 10 s. */
export function certificateExpiry(origin: string, clock: Pick<Clock, 'after'>): Promise<number | undefined> {
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // Nothing is sent over this connection: it may be that of an expired or unknown certificate.
    const socket = connect({ host, port: Number(port || 443), servername: isIP(host) ? '' : host, rejectUnauthorized: false });
    const end = (expiresAt: number | undefined): void => {
      cancel();
      socket.destroy();
      resolve(expiresAt);
    };
    const cancel = clock.after(WITHIN_MS, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => end(socket.getPeerX509Certificate()?.validToDate.getTime()));
  });
}
