import { openApiDocument } from '@svc/contracts/openapi/document';
import type { RouteName } from '@svc/contracts/routes';
import { keptPages } from './kept-pages.ts';
import { landingPage } from './landing-page.ts';
import type { Page } from './page.ts';
import type { OpenApi } from './openapi.ts';
import { pagePolicy } from './shell.ts';
import { HTML, siteOf } from './site.ts';

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
