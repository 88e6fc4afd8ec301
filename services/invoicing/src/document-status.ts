import type { DocumentKind } from '@svc/contracts/documents';
import type { DocumentStatus } from '@svc/contracts/document/no-doubt';
import { documentTypes } from './document-types.ts';
import type { DocumentRef } from './document/process/ref.ts';
import type { Reading } from './document/documents.ts';

/** Returns what the resource of a document says of itself, for services in the same process. Throws not_found. */
export const documentStatus =
  (context: Reading['context']) =>
  ({ kind, id, ...identity }: DocumentRef & { kind: DocumentKind }): Promise<DocumentStatus> =>
    documentTypes[kind].documents.read({ context, identity }, id);
