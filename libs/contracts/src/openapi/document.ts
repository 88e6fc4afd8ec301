import { type RouteName, routeNames, routes } from '../routes.ts';
import { createComponents } from './components.ts';
import { failureResponses } from './errors.ts';
import { guide } from './guide/guide.ts';
import { answerHeaders, requestHeaders } from './headers.ts';
import { operationOf } from './operation.ts';
import { CALLBACKS, tagOf, tags } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

export interface Published {
  /** The routes of the document. */
  served: ReadonlySet<RouteName>;
  /** Public origin, without the version segment. */
  publicUrl: string;
  /** Version of the interface. */
  version: string;
}

/** The tags that are used, with their texts. */
function tagsOf(paths: string[]): { name: string; description: string | undefined }[] {
  const used = new Set([...paths.map(tagOf), CALLBACKS]);
  return [...used].map((name) => ({ name, description: tags[name] }));
}

/** The published OpenAPI 3.1 document, made from the table of routes and the classes in it. */
export function openApiDocument({ served, publicUrl, version }: Published): object {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const name of routeNames) {
    if (!served.has(name)) continue;
    const route = routes[name];
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, components);
  }
  const responses = failureResponses(components);
  const webhooks = webhooksOf(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Invoicing and Fiscal Submission Service',
      version,
      description: guide(publicUrl).trim(),
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: `${publicUrl}/v1` }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    webhooks,
    components: {
      schemas: components.schemas,
      responses,
      headers: answerHeaders,
      parameters: requestHeaders,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_…` or `svc_test_…`.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key in another header; either one.' },
      },
    },
  };
}
