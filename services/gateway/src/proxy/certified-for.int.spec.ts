import { setTimeout as sleep } from 'node:timers/promises';
import { CERTIFIED_HEADER, certifiedIn, certifiedText } from '@svc/contracts/credentials/certified-header';
import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer, type React } from '../testing/raw-upstream.ts';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const submitted = httpAnswer('200 OK', '{"object":"invoice"}');
const certificate = { subject: 'CN=Çelësi' };
const own = httpAnswer('200 OK', '{"object":"fiscal_credentials"}', [`${CERTIFIED_HEADER}: ${certifiedText(certificate)}`]);
const none = httpAnswer('404 Not Found', '{"error":{"code":"not_found","message":"x"}}', [`${CERTIFIED_HEADER}: ${certifiedText([])}`]);
const SUBMIT = '/v1/invoices/inv_01jh2k3m4n5p6q7r8s9t0v1w2x/submit';

/** A gateway whose fiscal-submission answers so. */
async function submitting(react: React) {
  const invoicing = await system.raw((socket) => socket.write(submitted));
  const submission = await system.raw(react);
  const gateway = await system.gateway([invoicing.origin], {}, [submission.origin]);
  return { ...(await gateway.account()), invoicing, submission };
}
const headerIn = (request = ''): unknown => certifiedIn(new RegExp(`${CERTIFIED_HEADER}: (\\S+)`, 'i').exec(request)?.[1]);

test('invoicing gets for which authorities there is a certificate, asked for once, and none that a caller has sent', async () => {
  const { call, callLive, invoicing, submission } = await submitting((socket) => socket.write(own));
  const headers = { [CERTIFIED_HEADER]: certifiedText(['al-cis']) };
  for (let n = 0; n < 3; n += 1) expect((await callLive('POST', SUBMIT, { headers })).status).toBe(200);
  await callLive('POST', '/v1/receipts', { body: {}, headers });
  expect(invoicing.requests.map(headerIn)).toEqual(Array(4).fill(certificate));
  await call('POST', SUBMIT, { headers });
  await callLive('GET', '/v1/invoices/inv_01jh2k3m4n5p6q7r8s9t0v1w2x', { headers });
  expect(invoicing.requests.slice(4).map(headerIn)).toEqual([undefined, undefined]);
  expect(submission.requests.map((request) => request.split(' ', 2).join(' '))).toEqual(['GET /v1/fiscal-credentials']);
});

test('a certificate that is put is known at once, and a caller never reads the header', async () => {
  let answer = none;
  const { callLive, invoicing } = await submitting((socket) => socket.write(answer));
  await callLive('POST', SUBMIT);
  expect(headerIn(invoicing.requests.at(-1))).toEqual([]);
  answer = own;
  const put = await callLive('PUT', '/v1/fiscal-credentials', { body: { certificate: 'AAAA', passphrase: 'x' } });
  expect([put.status, put.headers[CERTIFIED_HEADER]]).toEqual([200, undefined]);
  await callLive('POST', SUBMIT);
  expect(headerIn(invoicing.requests.at(-1))).toEqual(certificate);
});

test('a certificate that another gateway has put is known at once where there was none; one look answers submissions of the same time', async () => {
  let answer = none;
  const { callLive, invoicing, submission } = await submitting((socket) => void sleep(50).then(() => socket.write(answer)));
  await Promise.all(Array.from({ length: 5 }, () => callLive('POST', SUBMIT)));
  expect(submission.requests).toHaveLength(1);
  answer = own;
  await callLive('POST', SUBMIT);
  expect(headerIn(invoicing.requests.at(-1))).toEqual(certificate);
});

test('an answer that was under way while a certificate was deleted is not kept', async () => {
  const asked = Promise.withResolvers<() => void>();
  const { callLive, submission } = await submitting((socket, _request, n) => {
    if (n === 1) asked.resolve(() => void socket.write(own));
    else socket.write(none);
  });
  const first = callLive('POST', SUBMIT);
  const answer = await asked.promise;
  await callLive('DELETE', '/v1/fiscal-credentials');
  answer();
  await first;
  await callLive('POST', SUBMIT);
  expect(submission.requests.map((request) => request.split(' ', 1)[0])).toEqual(['GET', 'DELETE', 'GET']);
});

test.each<[string, React]>([
  ['does not answer', () => undefined],
  ['is of a release that does not say it', (socket) => socket.write(httpAnswer('200 OK', '{"object":"fiscal_credentials"}'))],
])('nothing is known, and no submission is held up, where fiscal-submission %s', async (_, react) => {
  const { callLive, invoicing } = await submitting(react);
  expect((await callLive('POST', SUBMIT)).status).toBe(200);
  expect(headerIn(invoicing.requests.at(-1))).toBeUndefined();
});
