import { brotliCompressSync } from 'node:zlib';
import { openApiDocument } from '@svc/contracts/openapi/document';
import { failures } from '@svc/contracts/openapi/failures';
import { routeNames } from '@svc/contracts/routes';
import { webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import { operationsOf, resolved, type OpenApi, type Parameter } from './openapi.ts';
import { pagesOf, siteOf } from './site.ts';
import { chaptersOf } from './start-page.ts';

const ORIGIN = 'https://api.example';
const document = JSON.parse(JSON.stringify(openApiDocument({ served: new Set(routeNames), publicUrl: ORIGIN, version: 'v1' }))) as OpenApi;
const files = new Map([...siteOf(document)].map(([path, { text }]) => [path, text()]));
const pages = [...files].filter(([path]) => path.startsWith('/docs') && !/\.(md|json|js)$/.test(path));
const all = pages.map(([, text]) => text).join('\n');
const anchors = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const operations = operationsOf(document);

/** Names of all properties below these parts of the document, without examples. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  for (const [key, inside] of Object.entries(value)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties' && typeof inside === 'object') for (const name of Object.keys(inside as object)) names.add(name);
    namesIn(inside, names);
  }
  return names;
}

describe('everything in the document is on a page', () => {
  test('every operation, with its samples in five languages and its errors', () => {
    for (const { method, path, operation, tag } of operations) {
      const page = files.get(`/docs/${tag}`) ?? '';
      expect([operation.operationId, page.includes(`${method} ${path}</code>`), anchors(page).includes(operation.operationId)]).toEqual([
        operation.operationId,
        true,
        true,
      ]);
      const languages = [...page.matchAll(new RegExp(`name="${operation.operationId}-sample" [^>]*data-language="(\\w+)"`, 'g'))].map(
        ([, id]) => id,
      );
      expect(languages).toEqual(['curl', 'typescript', 'python', 'go', 'php']);
    }
    expect([...all.matchAll(/<strong>Errors<\/strong>/g)]).toHaveLength(operations.length);
  });

  test('every parameter', () => {
    for (const { operation, tag } of operations)
      for (const one of operation.parameters ?? []) {
        const { name, in: where } = resolved<Parameter>(document, one);
        expect(anchors(files.get(`/docs/${tag}`) ?? '')).toContain(`${operation.operationId}.${where}.${name}`);
      }
  });

  test('every field', () => {
    const { schemas = {} } = document.components;
    const fields = Object.entries(schemas).flatMap(([name, schema]) => (/^(Error|Problem)/.test(name) ? [] : [...namesIn(schema)]));
    const shown = new Set([...all.matchAll(/<dt id="[^"]+"><code>([^<]+)<\/code>/g)].map(([, name]) => name));
    expect(fields.length).toBeGreaterThan(300);
    expect([...new Set(fields)].filter((name) => !shown.has(name))).toEqual([]);
  });

  test('every event, error code and chapter', () => {
    for (const type of webhookEventTypes) expect(pages.some(([, text]) => anchors(text).includes(type))).toBe(true);
    for (const { codes } of Object.values(failures))
      for (const [code, when] of Object.entries(codes)) {
        expect(files.get(`/docs/errors/${code}.md`)).toContain(when);
        expect(files.get('/docs/errors')).toContain(`href="/docs/errors/${code}"`);
      }
    const chapters = chaptersOf(document.info.description ?? '');
    expect(chapters.length).toBeGreaterThan(8);
    for (const { id } of chapters) expect(anchors(files.get('/docs') ?? '')).toContain(id);
  });

  test('and the search finds it', () => {
    const found = JSON.parse(files.get('/docs/search.json') ?? '') as [string, string, string][];
    const names = new Set(found.map(([name]) => name));
    for (const wanted of ['due_date', 'per_page', 'Idempotency-Key', 'invoice.submitted', 'validation_error', 'Rate limits', 'Idempotency'])
      expect([wanted, names.has(wanted)]).toEqual([wanted, true]);
    const lost = found.filter(([, , url]) => {
      const [path = '', anchor] = url.split('#');
      return !files.has(path) || (anchor !== undefined && !anchors(files.get(path) ?? '').includes(anchor));
    });
    expect(lost).toEqual([]);
  });
});

describe('every page', () => {
  test('links to pages and anchors that exist, and to no other host', () => {
    const known = new Set([...files.keys(), '/openapi.json', '/', '/llms.txt']);
    const lost = pages.flatMap(([path, text]) =>
      [...text.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, link = '']) => {
        const [target, anchor] = link.split('#');
        const to = target === '' ? path : (target ?? '');
        const isThere = known.has(to) && (anchor === undefined || anchors(files.get(to) ?? '').includes(anchor));
        return isThere ? [] : [`${path}: ${link}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test.each(pages)('%s has landmarks, headings in order, anchors of its own, and no script but the file', (_, text) => {
    expect([...text.matchAll(/<(main|nav|h1|header)\b/g)].map(([, name]) => name).sort()).toEqual(['h1', 'header', 'main', 'nav']);
    const levels = [...text.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    levels.forEach((level, n) => expect(level - (levels[n - 1] ?? 0)).toBeLessThanOrEqual(1));
    expect(anchors(text)).toEqual([...new Set(anchors(text))]);
    expect([...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="/docs/search.js" defer>']);
    expect(text).not.toMatch(/\son\w+="|\sstyle="|\[object Object|>undefined/);
  });

  test.each(pages)('%s has at most 400 KiB, and 32 KiB on the wire', (_, text) => {
    expect(Buffer.byteLength(text)).toBeLessThan(400 * 1024);
    expect(brotliCompressSync(text).length).toBeLessThan(32 * 1024);
  });

  test('is there as Markdown, with the same headings and links to Markdown, and in llms.txt', () => {
    for (const { path, title, blocks } of pagesOf(document)) {
      const twin = files.get(`/docs${path}.md`) ?? '';
      expect(twin.startsWith(`# ${title}\n`)).toBe(true);
      for (const block of blocks) if (block.kind === 'heading') expect(twin).toContain(`${'#'.repeat(block.level)} ${block.text}\n`);
      for (const [, link = ''] of twin.matchAll(/\]\((\/docs[^)#]*)/g))
        expect([link, files.has(link) && link.endsWith('.md')]).toEqual([link, true]);
      expect(files.get('/llms.txt')).toContain(`](${ORIGIN}/docs${path}.md)`);
    }
  });
});

test('what the document says is text, never markup', () => {
  const { html } = hostile('<img src=x onerror=alert(1)> <script>alert(1)</script>');
  expect(html).not.toMatch(/<img|<script>/);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

function hostile(description: string): { html: string } {
  const schema = { type: 'object', properties: { a: { type: 'string', description } } };
  const answer = { description, content: { 'application/json': { schema } } };
  const operation = { operationId: 'x', tags: ['x'], summary: description, description, responses: { '200': answer } };
  const small = {
    info: { title: 'x', description: `# ${description}\n\n${description}` },
    paths: { '/x': { get: operation } },
    components: {},
  } as OpenApi;
  const made = siteOf(small);
  return { html: ['/docs', '/docs/x'].map((path) => made.get(path)?.text() ?? '').join('\n') };
}
