import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => {
  edge = await EdgeApp.start();
});
afterAll(() => edge.stop());

/** Reads answers to their end: a connection with an unread one would stay open until it times out. */
async function read(path: string, given: Record<string, string> = {}): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${edge.port}${path}`, { headers: given });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test('the published document is public JSON with exactly the served routes', async () => {
  const answer = await read('/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const { openapi, paths } = JSON.parse(answer.text) as { openapi: string; paths: Record<string, object> };
  expect(openapi).toMatch(/^3\./);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/customers', '/api-keys/{id}']));
  expect(Object.keys(paths)).not.toContain('/webhooks/{id}/test');
});

test('the first page loads nothing and runs no script', async () => {
  const answer = await read('/');
  const { text } = answer;
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; form-action/);
  expect(text).not.toMatch(/<script|<link|src=|\[object|undefined/);
  expect(text).toContain('href="/docs"');
});

test.each(['/', '/docs', '/docs/redoc.js', '/openapi.json'])('%s can be cached and is 304 for a current copy', async (path) => {
  const first = await read(path);
  const etag = first.headers.get('etag') as string;
  expect([etag, first.headers.get('cache-control')]).toEqual([expect.stringMatching(/^"[\w-]+"$/), 'public, max-age=300']);
  const again = async (given: string): Promise<unknown[]> => {
    const { status, headers } = await read(path, { 'if-none-match': given });
    return [status, headers.get('etag')];
  };
  expect(await again(`"other", W/${etag}`)).toEqual([304, etag]);
  expect(await again('"other"')).toEqual([200, etag]);
});

test('pages are limited by address, separately from the interface', async () => {
  const answers = await Promise.all(Array.from({ length: 130 }, () => edge.caller()('GET', '/openapi.json', { from: '127.7.7.7' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
  const refused = answers.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.body.error?.code, refused?.headers['retry-after']]).toEqual([429, 'rate_limit_exceeded', '60']);
  expect(refused?.body.error?.request_id).toBe(refused?.headers['x-request-id']);
  expect((await edge.caller()('GET', '/v1/account', { from: '127.7.7.7' })).headers['x-ratelimit-remaining']).toBe('59');
  expect((await read('/docs')).status).toBe(200);
});

test('the reference loads everything from this origin, and its policy allows no other', async () => {
  const answer = await read('/docs');
  const { text } = answer;
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).not.toMatch(/https?:\/\//);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  const [, script = ''] = /<script src="([^"]+)"/.exec(text) ?? [];
  const loaded = await read(script);
  expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(loaded.text.length).toBeGreaterThan(500_000);
});
