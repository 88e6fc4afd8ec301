import { answered, type ApiError, createConsole } from '../console.ts';

const json = (status: number, body: object): Response => new Response(JSON.stringify(body), { status });
const failed = (status: number, code: string, details?: object) =>
  json(status, { error: { code, message: 'Say why.', details, request_id: 'req_1' } });

function consoleWith(answers: (() => Response)[], livemode = false) {
  const sent: Request[] = [];
  const waited: number[] = [];
  const wait = async (ms: number): Promise<void> => void waited.push(ms);
  const send = async (request: Request): Promise<Response> => {
    sent.push(request);
    const answer = answers.shift();
    if (!answer) throw new TypeError('fetch failed');
    return answer();
  };
  return { sent, waited, client: createConsole({ baseUrl: 'http://localhost', livemode: () => livemode, wait, send }) };
}

test('each call names the environment, and several values of a filter are one parameter', async () => {
  const { sent, client } = consoleWith([() => json(200, { data: [] })], true);
  await client.GET('/console/v1/invoices', { params: { query: { status: ['draft', 'failed'] } } });
  expect(sent[0]?.headers.get('x-livemode')).toBe('true');
  expect(decodeURIComponent(new URL(sent[0]?.url ?? '').search)).toBe('?status=draft,failed');
});

test('a POST whose outcome is unknown is repeated under the same key', async () => {
  const { sent, client } = consoleWith([() => failed(500, 'outcome_unknown'), () => json(201, { id: 'mem_1' })]);
  const member = await answered(client.POST('/console/members', { body: { email: 'a@example.com', role: 'viewer' } }));
  expect(member).toEqual({ id: 'mem_1' });
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('a failure says when the request may be sent again', async () => {
  const limited = () => new Response(failed(429, 'rate_limit_exceeded').body, { status: 429, headers: { 'Retry-After': '7' } });
  const { client } = consoleWith([limited, () => failed(404, 'not_found')]);
  for (const retryAfter of [7, undefined]) await expect(client.GET('/console/me')).rejects.toMatchObject({ retryAfter });
});

test('a POST has the key that its caller gives, and waits while the first request under it runs', async () => {
  const inUse = () => new Response(failed(409, 'idempotency_key_in_use').body, { status: 409, headers: { 'Retry-After': '7' } });
  const { sent, waited, client } = consoleWith([inUse, inUse, () => json(201, { id: 'mem_1' })]);
  const headers = { 'Idempotency-Key': 'one-form' };
  const member = await answered(client.POST('/console/members', { body: { email: 'a@example.com', role: 'viewer' }, headers }));
  expect([member, waited]).toEqual([{ id: 'mem_1' }, [7_000, 7_000]]);
  expect(sent.map((request) => request.headers.get('idempotency-key'))).toEqual(['one-form', 'one-form', 'one-form']);
});

test('decimals are asked for as texts, and the page says what else it says of itself', async () => {
  const sent: Request[] = [];
  const send = async (request: Request): Promise<Response> => (sent.push(request), json(200, {}));
  const options = {
    baseUrl: 'http://localhost',
    livemode: () => false,
    headers: () => ({ 'X-Member': 'mem_1' }),
    wait: async () => undefined,
    send,
  };
  await createConsole(options).GET('/console/session');
  expect([sent[0]?.headers.get('prefer'), sent[0]?.headers.get('x-member')]).toEqual(['amounts=string', 'mem_1']);
});

test('what a call prefers itself is kept beside it', async () => {
  const { sent, client } = consoleWith([() => json(201, {})]);
  await client.POST('/console/v1/receipts', { body: { items: [] }, headers: { Prefer: 'wait=10' } });
  expect(sent[0]?.headers.get('prefer')).toBe('wait=10, amounts=string');
});

test('a failure rejects with its code, the messages of its fields and the request', async () => {
  const { client } = consoleWith([() => failed(422, 'validation_error', { name: ['Send a name.'] })]);
  const call = client.PATCH('/console/account', { body: { name: '' } });
  await expect(call).rejects.toMatchObject({
    status: 422,
    details: { name: ['Send a name.'] },
    requestId: 'req_1',
  } satisfies Partial<ApiError>);
});

test('without an answer a write that is no POST is not repeated, and rejects as unreachable', async () => {
  const { sent, client } = consoleWith([]);
  await expect(client.PATCH('/console/account', { body: { name: 'x' } })).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  expect(sent).toHaveLength(1);
});

const unanswered = (): Response => {
  throw new TypeError('fetch failed');
};

test.each([
  ['a person refuses', () => Promise.reject(Object.assign(new Error(), { name: 'Cancelled' }))],
  ['the rights are gone for', () => failed(403, 'insufficient_permissions')],
])('what %s after a lost answer says nothing of the first request: it is unreachable', async (_, answer) => {
  const { client } = consoleWith([unanswered, answer as () => Response]);
  await expect(client.POST('/console/members', { body: { email: 'a@example.com', role: 'viewer' } })).rejects.toMatchObject({
    code: 'unreachable',
  });
});
