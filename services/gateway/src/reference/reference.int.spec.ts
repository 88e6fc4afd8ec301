import { EdgeApp } from '../testing/edge-app.suite.ts';

let edge: EdgeApp;
beforeAll(async () => {
  edge = await EdgeApp.start();
});
afterAll(() => edge.stop());

const read = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${edge.port}${path}`, { headers });

test('the published document is JSON for anyone and names what is served, nothing else', async () => {
  const answer = await read('/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const { openapi, paths } = (await answer.json()) as { openapi: string; paths: Record<string, object> };
  expect(openapi).toMatch(/^3\./);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v1/customers', '/v1/api-keys/{id}']));
  expect(Object.keys(paths)).not.toContain('/v1/products');
});

test('the first page loads and runs nothing', async () => {
  const answer = await read('/');
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; form-action/);
  expect(text).not.toMatch(/<script|<link|src=|\[object|undefined/);
  expect(text).toContain('href="/docs"');
});

test('the reference loads everything from this origin, and its policy lets nothing else in', async () => {
  const answer = await read('/docs');
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).not.toMatch(/https?:\/\//);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  const [, script = ''] = /<script src="([^"]+)"/.exec(text) ?? [];
  const loaded = await read(script);
  expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect((await loaded.text()).length).toBeGreaterThan(500_000);
});

test.each(['/openapi.json', '/docs', '/docs/redoc.js'])('%s has a strong tag, by which a copy is told to be current', async (path) => {
  const tag = (await read(path)).headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[\w-]+"$/);
  const again = await read(path, { 'if-none-match': tag });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
