import { ISSUER_HEADER, issuerIn } from '@svc/contracts/credentials/issuer-header';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const issuer = httpAnswer('200 OK', JSON.stringify({ id: 'iss_1', authority: 'al-cis', tax_id: 'L12345678A', legal_name: 'Heron' }));
const done = httpAnswer('200 OK', '{"object":"fiscal_credentials_check"}');
const file = { certificate: 'AAAA', passphrase: 'x' };

/** A gateway whose invoicing answers `first`. */
async function checking(first: string) {
  const invoicing = await system.raw((socket) => socket.write(first));
  const submission = await system.raw((socket) => socket.write(done));
  const gateway = await system.gateway([invoicing.origin], {}, [submission.origin]);
  const { call } = await gateway.account();
  return { call, invoicing, submission };
}
const headerIn = (request = '') => issuerIn(new RegExp(`${ISSUER_HEADER}: (\\S+)`, 'i').exec(request)?.[1]);

test('fiscal-submission gets the issuer by whom a certificate is judged, and none that a caller has sent', async () => {
  const { call, invoicing, submission } = await checking(issuer);
  const headers = { [ISSUER_HEADER]: 'WyJzYW5kYm94IiwiWCJd' };
  expect((await call('POST', '/v1/fiscal-credentials/check', { headers })).status).toBe(200);
  expect((await call('PUT', '/v1/fiscal-credentials', { body: file, headers })).status).toBe(200);
  expect(submission.requests.map(headerIn)).toEqual(Array(2).fill({ authority: 'al-cis', tax_id: 'L12345678A' }));
  expect(invoicing.requests.every((request) => request.startsWith('GET /v1/issuer '))).toBe(true);
  await call('POST', '/v1/fiscal-credentials/activate', { headers });
  expect([headerIn(submission.requests[2]), invoicing.requests.length]).toEqual([undefined, 2]);
});

test('where the issuer cannot be had, nothing is stored and the answer is that of its service', async () => {
  const { call, submission } = await checking(
    httpAnswer('503 Service Unavailable', '{"error":{"code":"service_unavailable","message":"x"}}', ['retry-after: 1']),
  );
  expect((await call('PUT', '/v1/fiscal-credentials', { body: file })).status).toBe(503);
  expect(submission.requests).toEqual([]);
});
