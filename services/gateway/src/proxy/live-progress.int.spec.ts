import { ProxySystem } from '../testing/proxy-system.ts';
import { httpAnswer } from '../testing/raw-upstream.ts';

let system: ProxySystem;
beforeEach(() => void (system = new ProxySystem()));
afterEach(() => system.stop());

const id = `inv_${'0'.repeat(26)}`;
const known = { attempts: 0, last_attempt_at: null, next_attempt_at: null, error: null };
const waiting = { id, object: 'invoice', status: 'submitting', fiscal: { authority: 'sandbox', status: 'pending', ...known }, total: 1.1 };
const [last, next] = ['2026-11-26T10:00:00.000Z', '2026-11-26T10:00:30.000Z'];
const progressAnswer = (header: string): string => httpAnswer('200 OK', '{"data":[]}', [`x-svc-progress: ${header}`]);

/** A gateway whose invoicing has `invoice`, and whose fiscal-submission gives `answer`; undefined: it never answers. */
async function reading(invoice: object, answer: string | undefined) {
  const asked: string[] = [];
  const invoicing = await system.stub({ commands: [], run: async () => invoice });
  const submission = await system.raw((socket, request) => {
    asked.push(String(request).split('\r\n', 1)[0] as string);
    if (answer !== undefined) socket.write(answer);
  });
  const gateway = await system.gateway([invoicing.origin], {}, [submission.origin]);
  const { call } = await gateway.account();
  return { asked, call, invoicing };
}

test('one document that waits shows how far fiscal-submission is, and is otherwise as invoicing has it', async () => {
  const { call, asked } = await reading(waiting, progressAnswer(`13 ${last} ${next}`));
  const look = () => call('GET', `/v1/invoices/${id}`);
  const attempts = ({ body }: Awaited<ReturnType<typeof look>>): number => (body as unknown as typeof waiting).fiscal.attempts;
  let read = await look();
  // A busy machine may take longer than the 200 ms that the gateway waits.
  while (attempts(read) === 0) read = await look();
  expect(read.status).toBe(200);
  expect(read.body).toEqual({
    ...waiting,
    fiscal: { ...waiting.fiscal, attempts: 13, last_attempt_at: last, next_attempt_at: next },
  });
  expect(new Set(asked)).toEqual(new Set([`GET /v1/invoices/${id}/attempts?per_page=1 HTTP/1.1`]));
});

test.each<[string, string | undefined]>([
  ['does not know it', httpAnswer('404 Not Found', '{"error":{"code":"not_found","message":"x"}}')],
  ['is of a release without the header', httpAnswer('200 OK', '{"data":[]}')],
  ['has something else in it', progressAnswer('many')],
  ['does not answer in time', undefined],
])('it shows the last news where fiscal-submission %s', async (_, answer) => {
  const { call } = await reading(waiting, answer);
  expect((await call('GET', `/v1/invoices/${id}`)).body).toEqual(waiting);
});

test('fiscal-submission is not asked for a document at rest, nor for a list', async () => {
  const registered = { ...waiting, status: 'submitted', fiscal: { ...waiting.fiscal, status: 'registered' } };
  const { call, asked } = await reading(registered, progressAnswer(`13 ${last} -`));
  expect((await call('GET', `/v1/invoices/${id}`)).body).toEqual(registered);
  await call('GET', '/v1/invoices');
  expect(asked).toEqual([]);
});

test('the attempts of a document come without the header for the gateway', async () => {
  const { call } = await reading(waiting, progressAnswer(`13 ${last} -`));
  const { status, headers } = await call('GET', `/v1/invoices/${id}/attempts`);
  expect([status, headers['x-svc-progress']]).toEqual([200, undefined]);
});
