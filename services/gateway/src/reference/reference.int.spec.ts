import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EdgeApp } from '../testing/edge-app.ts';
import { samplesOf } from './samples.ts';

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
  expect(text).not.toMatch(/<script|<link|src=|\[object|undefined/);
  expect(text).toContain('href="/docs"');
});

const paths = [
  '/',
  '/docs',
  '/docs.md',
  '/docs/customers',
  '/docs/errors/validation_error',
  '/docs/search.js',
  '/docs/search.json',
  '/llms.txt',
];
test.each([...paths, '/openapi.json'])('%s can be cached, is 304 for a current copy, and smaller when compressed', async (path) => {
  const first = await read(path, { 'accept-encoding': 'identity' });
  const etag = first.headers.get('etag') as string;
  const { headers } = first;
  expect([etag, headers.get('cache-control'), headers.get('vary')]).toEqual([
    expect.stringMatching(/^"[\w-]+"$/),
    'public, max-age=300',
    'Accept-Encoding',
  ]);
  const again = async (given: string, encoding = 'identity'): Promise<unknown[]> => {
    const answer = await read(path, { 'if-none-match': given, 'accept-encoding': encoding });
    return [answer.status, answer.headers.get('etag')];
  };
  expect(await again(`"other", W/${etag}`)).toEqual([304, etag]);
  expect(await again('"other"')).toEqual([200, etag]);
  // An ETag is strong: other bytes have another.
  expect((await again(etag, 'br'))[0]).toBe(200);
  for (const [asked, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['deflate', null],
  ] as const) {
    const answer = await read(path, { 'accept-encoding': asked });
    expect([asked, answer.headers.get('content-encoding'), answer.text === first.text]).toEqual([asked, encoding, true]);
    if (encoding === null) continue;
    expect(answer.headers.get('etag')).not.toBe(etag);
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(first.text.length);
    expect(await again(answer.headers.get('etag') as string, asked)).toEqual([304, answer.headers.get('etag')]);
  }
});

test('headers that are too long to be read say nothing', async () => {
  const page = await read('/docs', { 'accept-encoding': 'identity' });
  const asked = { 'accept-encoding': 'br,'.repeat(400), 'if-none-match': `"x",`.repeat(300) + page.headers.get('etag') };
  const answer = await read('/docs', asked);
  expect([answer.status, answer.headers.get('content-encoding'), answer.text]).toEqual([200, null, page.text]);
});

test('HEAD has the headers of GET and no body', async () => {
  const url = `http://127.0.0.1:${edge.port}/docs`;
  const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
  const shown = ({ status, headers }: Response) => [
    status,
    ...['etag', 'content-length', 'content-type', 'content-encoding'].map((name) => headers.get(name)),
  ];
  expect(shown(head)).toEqual(shown(get));
  expect([await head.text(), (await get.text()).length > 10_000]).toEqual(['', true]);
});

test('a path below /docs that is no page is 404, and a trailing slash is ignored', async () => {
  expect((await read('/docs/nothing')).status).toBe(404);
  expect((await read('/docs/__proto__')).status).toBe(404);
  expect((await read('/docs/customers/')).status).toBe(200);
});

test('the type of a problem opens the page of its code, and the log has the code', async () => {
  const before = edge.log.length;
  const answer = await read('/v1/account', { accept: 'application/problem+json', authorization: 'Bearer svc_test_x' });
  const { type, code } = JSON.parse(answer.text) as { type: string; code: string };
  expect([answer.status, type]).toEqual([401, `http://test/docs/errors/${code}`]);
  const page = await read(new URL(type).pathname);
  expect([page.status, page.text.includes(`<h1>${code}</h1>`)]).toEqual([200, true]);
  expect(edge.log.slice(before).join('')).toContain(`"code":"${code}"`);
});

test('the pages name the routes that are served, and no others', async () => {
  const { text } = await read('/docs/webhooks.md');
  expect(text).not.toContain('/test`');
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

test('the pages run no inline script, take styles by hash alone, and load from this origin alone', async () => {
  const { text, headers } = await read('/docs');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'sha256-[\w+/]+='; connect-src 'self';/);
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  const script = await read('/docs/search.js');
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
});

describe('the samples run', () => {
  const shop = samplesOf({
    method: 'POST',
    url: 'URL',
    body: { name: 'Kurt’s "Café" \\ O\'Neill', tags: null, ok: true, n: [1.5, 'a'], empty: {} },
  });
  const ways: Record<string, (file: string) => string[]> = {
    curl: (file) => ['sh', file],
    typescript: (file) => [process.execPath, file],
    python: (file) => ['python3', file],
    go: (file) => ['go', 'run', file],
    php: (file) => ['php', file],
  };
  const endings: Record<string, string> = { curl: 'sh', typescript: 'mts', python: 'py', go: 'go', php: 'php' };

  test.each(shop)('in $label', async ({ id, code }) => {
    const received: unknown[] = [];
    const server = createServer((request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        const { authorization, 'content-type': type } = request.headers;
        received.push([request.method, authorization, type, JSON.parse(Buffer.concat(chunks).toString())]);
        response.setHeader('content-type', 'application/json');
        response.end('{"id":"cust_1"}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = mkdtempSync(join(tmpdir(), 'samples-'));
    const file = join(folder, `main.${endings[id]}`);
    writeFileSync(file, code.replaceAll('URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    const [program = '', ...args] = ways[id]?.(file) ?? [];
    // Without the language on this machine the sample does not run.
    const output = await new Promise<string | undefined>((resolve) =>
      execFile(program, args, { env: { ...process.env, KEY: 'svc_test_1' } }, (error, out, err) =>
        resolve(error?.code === 'ENOENT' ? undefined : out + err),
      ),
    );
    server.close();
    rmSync(folder, { recursive: true, force: true });
    if (output === undefined) return;
    expect(output).toContain('cust_1');
    const body = { name: 'Kurt’s "Café" \\ O\'Neill', tags: null, ok: true, n: [1.5, 'a'], empty: {} };
    expect(received).toEqual([['POST', 'Bearer svc_test_1', 'application/json', body]]);
  });
});
