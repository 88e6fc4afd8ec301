import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { EdgeApp } from '../testing/edge-app.ts';

const SCRIPT = 'console.log("pages")';
const folder = mkdtempSync(join(tmpdir(), 'pages-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script type="module" src="/assets/a-1.js"></script></html>',
);
writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT);
writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(SCRIPT));
writeFileSync(join(folder, 'assets/plain.css'), 'a{}');
writeFileSync(join(folder, 'secret.txt'), 'secret');

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start({ pages: folder })));
afterAll(async () => {
  await edge.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** `fetch` sends no Host of one's own. */
const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: edge.port, path, headers: { host: 'test', ...headers } }, (answer) => {
      answer.toArray().then((chunks) => {
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks as Buffer[]) });
      }, reject);
    });
    asked.on('error', reject).end();
  });
const header = ({ headers }: Answer, name: string): string => String(headers[name] ?? '');

test.each(['/', '/app', '/app/', '/app/invoices/inv_x?tab=live'])(
  '%s is the page, which is stored nowhere and framed by nobody',
  async (path) => {
    const answer = await get(path);
    expect([answer.status, header(answer, 'content-type'), header(answer, 'cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const policy = header(answer, 'content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers['set-cookie']).toBeUndefined();
  },
);

test('each answer has a nonce of its own, in the page and in its policy', async () => {
  const answers = [await get('/'), await get('/')];
  const nonces = answers.map(({ body }) => /nonce="([\w+/]{24})"/.exec(body.toString())?.[1] ?? '');
  expect(new Set(nonces).size).toBe(2);
  for (const [n, answer] of answers.entries())
    expect(header(answer, 'content-security-policy')).toContain(`style-src 'self' 'nonce-${nonces[n]}'`);
});

test('a file under /assets never changes, and is sent as the build has compressed it', async () => {
  const small = await get('/assets/a-1.js', { 'accept-encoding': 'gzip, br' });
  expect([small.status, header(small, 'content-encoding'), header(small, 'cache-control'), header(small, 'vary')]).toEqual([
    ...[200, 'br', 'public, max-age=31536000, immutable'],
    'Accept-Encoding',
  ]);
  expect(brotliDecompressSync(small.body).toString()).toBe(SCRIPT);
  const plain = await get('/assets/a-1.js', { 'accept-encoding': 'br;q=0' });
  expect([header(plain, 'content-encoding'), plain.body.toString()]).toEqual(['', SCRIPT]);
  expect(header(await get('/assets/a-1.js', { 'accept-encoding': 'br,'.repeat(400) }), 'content-encoding')).toBe('');
  expect(header(await get('/assets/plain.css', { 'accept-encoding': 'br' }), 'content-type')).toBe('text/css; charset=utf-8');
});

test.each(['/assets/', '/assets/none.js', '/assets/a-1.js.br', '/assets/../secret.txt', '/assets/..%2fsecret.txt', '/application'])(
  '%s is no file and no page',
  async (path) => {
    const answer = await get(path);
    expect([answer.status, header(answer, 'content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  },
);

test.each([
  ['/', 'api.example', 421],
  ['/app/invoices', '127.0.0.1.example', 421],
  ['/', '127.0.0.1:3000', 200],
])('%s at another host, %s, names the address of the dashboard', async (path, host, status) => {
  const answer = await get(path, { host });
  expect(answer.status).toBe(status);
  expect(answer.body.toString()).toContain('href="http://test/"');
  expect((await get(path, { host: 'TEST:80' })).status).toBe(200);
});

test('the files of many browsers at one address are counted apart from pages', async () => {
  const files = await Promise.all(Array.from({ length: 300 }, () => get('/assets/plain.css')));
  expect(files.filter(({ status }) => status !== 200)).toEqual([]);
  expect((await get('/')).status).toBe(200);
});
