import { consoleDocument } from '@svc/contracts/openapi/console-document';
import type { RouteName } from '@svc/contracts/routes';

/** The document of the dashboard's interface. Loaded at its first request, so that a start does not wait for it. */
export const documentText = (served: ReadonlySet<RouteName>, publicUrl: string): string =>
  JSON.stringify(consoleDocument({ served, publicUrl, version: 'v1' }));
