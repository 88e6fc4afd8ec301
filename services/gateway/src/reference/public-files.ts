import { openApiDocument } from '@svc/contracts/openapi/document';
import type { RouteName } from '@svc/contracts/routes';
import { type Page, pageOf } from './page.ts';
import type { OpenApi } from './openapi.ts';
import { pagePolicy, shell } from './shell.ts';
import { HTML, type SiteFile, siteOf } from './site.ts';
import { html } from './html.ts';

/** Version of the interface. A breaking change raises it. */
const VERSION = 'v1';

/** Every public file by its path: the document, the reference over it, the landing page. Loaded at the first request, so that a start does not wait for it. */
export function publicFiles(served: ReadonlySet<RouteName>, publicUrl: string): (path: string) => Promise<Page> | undefined {
  const text = JSON.stringify(openApiDocument({ served, publicUrl, version: VERSION }));
  const files = siteOf(JSON.parse(text) as OpenApi);
  files.set('/openapi.json', { contentType: 'application/json; charset=utf-8', text: () => text });
  files.set('/', { contentType: HTML, text: () => landingPage(publicUrl) });
  return keptPages(files, ({ contentType }) => ({
    'content-type': contentType,
    ...(contentType === HTML && { 'content-security-policy': pagePolicy }),
  }));
}

/**
 * Pages by path, each made at its first request and kept: so many, and of such sizes, as the document has. undefined for another path. A page that
 * could not be made is tried again at the next request.
 */
export function keptPages(files: ReadonlyMap<string, SiteFile>, headersOf: (file: SiteFile) => Record<string, string>) {
  const kept = new Map<string, Promise<Page>>();
  return (path: string): Promise<Page> | undefined => {
    const known = kept.get(path);
    const file = files.get(path);
    if (known || !file) return known;
    const made = pageOf(file.text(), headersOf(file));
    kept.set(path, made);
    made.catch(() => kept.delete(path));
    return made;
  };
}

export const landingPage = (publicUrl: string): string =>
  shell({
    title: 'Invoicing and Fiscal Submission',
    body: html`<p>
        A REST API for invoices, receipts and customers. What is submitted with a live key is registered at the national tax authority; a
        test key does all of it against a sandbox.
      </p>
      <ul>
        <li><a href="/docs">Reference</a>: from nothing to a fiscal code, then every endpoint, field and error</li>
        <li><a href="/openapi.json">OpenAPI document</a>: for clients and tools</li>
        <li><a href="/llms.txt">llms.txt</a>: the reference as Markdown</li>
      </ul>
      <p>A first request, with an API key of yours:</p>
      <pre tabindex="0">curl ${publicUrl}/v1/account -H "Authorization: Bearer svc_test_…"</pre>`,
  });
