import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { FakeClock, systemClock } from '@svc/kernel';
import { register } from '@svc/service';
import { certificateExpiry, measureCertificates } from './certificate.ts';
import { NotSent, outgoingHttp } from '../sending/http.ts';

/** A key with a certificate for 127.0.0.1 that is its own authority. */
const pem = (name: 'valid' | 'expired'): { key: string; cert: string } => {
  const text = readFileSync(new URL(`../../fixtures/test-only-${name}.pem`, import.meta.url), 'utf8');
  return { key: text, cert: text };
};
const EXPIRED_AT = Date.parse('2020-01-01T00:00:00Z');
const VALID_UNTIL = Date.parse('2049-12-31T00:00:00Z');
const NAME = 'svc_authority_certificate_expiry_timestamp_seconds';

let server: Server | undefined;
async function serverWith(name: 'valid' | 'expired'): Promise<string> {
  server = createServer(pem(name), (_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const stop = (): void => {
  server?.closeAllConnections();
  server?.close();
};
afterEach(stop);

/** Reads the metric until it says so; at most 5 s. */
async function shows(text: string): Promise<void> {
  let shown = '';
  for (let waited = 0; waited < 5_000; waited += 10) {
    shown = await register.getSingleMetricAsString(NAME);
    if (shown.includes(text)) return;
    await systemClock.sleep(10);
  }
  throw new Error(`${text} is not in:\n${shown}`);
}

test('reads when a certificate expires, whether it is valid or not; nothing of a server that does not answer', async () => {
  expect(await certificateExpiry(await serverWith('valid'), systemClock)).toBe(VALID_UNTIL);
  stop();
  const origin = await serverWith('expired');
  expect(await certificateExpiry(origin, systemClock)).toBe(EXPIRED_AT);
  stop();
  expect(await certificateExpiry(origin, systemClock)).toBeUndefined();
});

test('a metric has it, and that of a renewed certificate a minute later; not for an authority without TLS', async () => {
  const clock = new FakeClock(systemClock.now());
  const origin = await serverWith('expired');
  measureCertificates({ live: [{ id: 'al-cis', origin }], test: [{ id: 'sandbox', origin: 'http://127.0.0.1:9' }] }, clock);
  await shows(`${NAME}{authority="al-cis",env="live"} ${EXPIRED_AT / 1000}`);
  expect(await register.getSingleMetricAsString(NAME)).not.toContain('sandbox');
  server?.setSecureContext(pem('valid'));
  await clock.advance(60_000);
  await shows(`${NAME}{authority="al-cis",env="live"} ${VALID_UNTIL / 1000}`);
});

test('the last known certificate stays while the authority does not answer', async () => {
  const clock = new FakeClock(systemClock.now());
  measureCertificates({ live: [{ id: 'al-cis', origin: await serverWith('expired') }], test: [] }, clock);
  await shows('{authority="al-cis",env="live"}');
  stop();
  await clock.advance(60_000);
  await shows('{authority="al-cis",env="live"}');
  await systemClock.sleep(100);
  await shows('{authority="al-cis",env="live"}');
});

test('nothing is sent where the certificate has expired: the document certainly did not arrive', async () => {
  const { http, close } = outgoingHttp(systemClock);
  await expect(http({ method: 'POST', url: await serverWith('expired'), headers: {}, body: '{}', deadlineMs: 5_000 })).rejects.toThrow(
    NotSent,
  );
  await close();
});
