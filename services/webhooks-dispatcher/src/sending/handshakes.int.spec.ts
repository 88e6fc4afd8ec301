import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { chain, key, largestGroup, ordinary } from './testing/certificates.ts';
import { measuredSender } from './testing/measured-sender.ts';

const known = getCACertificates();
beforeAll(() => setDefaultCACertificates([...known, ordinary]));
afterAll(() => setDefaultCACertificates(known));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A receiver in a thread of its own, whose processor time is not counted here. It ends each connection, and with `again` after another handshake. */
const receiver = `
  const { createServer } = require('node:https');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer(workerData, (request, response) => {
    response.setHeader('connection', 'close');
    if (workerData.again) request.socket.renegotiate({}, () => response.end('taken again'));
    else response.end('taken');
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

async function open(options: { cert?: string; maxVersion?: string; ciphers?: string; dhparam?: string; again?: boolean } = {}) {
  const worker = new Worker(receiver, { eval: true, workerData: { cert: ordinary, key, ...options } });
  closing.push(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  return { origin: `https://127.0.0.1:${port}` };
}

function sender(origin: string) {
  const { close, ...sending } = measuredSender(origin);
  closing.push(close);
  return sending;
}

const taken = expect.objectContaining({ status: 200, body: 'taken' });
const failed = (words: string) => expect.objectContaining({ status: null, error: expect.stringContaining(words) });

test.each([
  ['TLS 1.3', {}],
  ['TLS 1.2 and elliptic curves', { maxVersion: 'TLSv1.2' }],
  ['TLS 1.2 and an encrypted secret', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
])('a receiver of %s gets what is sent', async (_, options) => {
  const { origin } = await open(options);
  const { post } = sender(origin);
  expect([await post(), await post()]).toEqual([taken, taken]);
});

test.each([['TLSv1.2'], ['TLSv1.3']])('of a chain of 75 certificates 16 KiB are taken and none is verified: %s', async (maxVersion) => {
  const { origin } = await open({ cert: chain(75), maxVersion });
  const { measured } = sender(origin);
  await measured();
  const [answered, ms] = await measured();
  expect(answered).toEqual(failed('the certificates that it sent are too long'));
  expect(ms).toBeLessThan(100);
});

test('no group of Diffie-Hellman is computed in that the receiver has chosen', async () => {
  const { origin } = await open({ maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: largestGroup() });
  const { measured } = sender(origin);
  const [answered, ms] = await measured();
  expect(answered).toEqual(failed('TLS failed'));
  expect(ms).toBeLessThan(200);
});

test('a receiver makes no handshake again on a secure connection', async () => {
  const { origin } = await open({ maxVersion: 'TLSv1.2', again: true });
  const { post } = sender(origin);
  expect(await post()).toEqual(failed('the connection was closed before the answer was complete'));
});

test('handshakes of more than a second in a minute are refused for the rest of it, of the account alone', async () => {
  const costly = await open({ cert: chain(10) });
  const { clock, measured } = sender(costly.origin);
  await clock.advance(60_000 - (clock.now() % 60_000));
  const untrusted = failed('the certificate is not valid (CERT_SIGNATURE_FAILURE)');
  const tooCostly = failed('took too much time in this minute');
  let [spent, made] = [0, 0];
  for (;;) {
    const [answered, ms] = await measured();
    spent += ms;
    made += 1;
    if (made > 200 || (answered as { error: string }).error.includes('took too much time')) break;
    expect(answered).toEqual(untrusted);
  }
  expect(made).toBeLessThan(200);
  expect(spent).toBeLessThan(3_000);

  const [answered, ms] = await measured();
  expect(answered).toEqual(tooCostly);
  expect(ms).toBeLessThan(10);
  expect((await measured('acct_2'))[0]).toEqual(untrusted);

  await clock.advance(59_999);
  expect((await measured())[0]).toEqual(tooCostly);
  await clock.advance(1);
  expect((await measured())[0]).toEqual(untrusted);
});
