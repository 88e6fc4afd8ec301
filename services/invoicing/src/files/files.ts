import type { DocumentFileResource, UblFileResource } from '@svc/contracts/document/file';
import type { DocumentKind } from '@svc/contracts/documents';
import type { JsonText } from '@svc/kernel';
import type { DocumentContext } from '../document/context.ts';
import { frozenCustomer } from '../document/domain/parties.ts';
import type { Call, Reading } from '../document/documents.ts';
import type { Parties } from '@svc/document-files/pdf/document';
import type { Job, Preceding } from '@svc/document-files/render';
import type { Renderer } from '@svc/document-files/renderer';
import type { FileRef, Links } from './links.ts';

/** Nest's injection token of the `Files`. */
export const FILES = Symbol('Files');

interface FilesOptions {
  context: DocumentContext;
  links: Links;
  renderer: Pick<Renderer, 'render'>;
  documentTypes: Record<DocumentKind, { documents: { text(reading: Reading, id: string): Promise<JsonText> } }>;
}

/** What is asked of a document's JSON before it goes to the worker. */
interface Head {
  number: string | null;
  corrects?: string | null;
  customer_id: string | null;
}

export interface OpenedFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

const types = {
  pdf: { type: 'application/pdf', extension: 'pdf' },
  ubl: { type: 'application/xml; charset=utf-8', extension: 'xml' },
} as const;

/** Files of documents: made anew whenever their link opens, of the document as it is then. Nothing of them is stored. */
export function createFiles({ context, links, renderer, documentTypes }: FilesOptions) {
  async function jobOf({ format, kind, id, ...identity }: FileRef): Promise<{ job: Job; name: string }> {
    const { documents } = documentTypes[kind];
    const { text } = await documents.text({ context, identity }, id);
    const { number, corrects, customer_id } = JSON.parse(text) as Head;
    const preceding = corrects ? (JSON.parse((await documents.text({ context, identity }, corrects)).text) as Preceding) : null;
    return {
      job: {
        ...{ make: format, text },
        preceding: preceding && { number: preceding.number, issue_date: preceding.issue_date },
        parties: number === null ? await presentParties(identity, customer_id) : null,
      },
      name: number ?? id,
    };
  }

  /** Of a draft: those that a submission would freeze now. */
  async function presentParties({ account, env }: Pick<FileRef, 'account' | 'env'>, customerId: string | null): Promise<Parties> {
    const [issuer, customer] = await Promise.all([
      context.issuers.of(account, env),
      customerId === null ? undefined : context.customers.find(account, env, customerId),
    ]);
    const { legal_name, trade_name, tax_id, address, country, currency, time_zone, language, authority } = issuer;
    return {
      issuer: { legal_name, trade_name, tax_id, address, country, currency, time_zone, language, authority },
      customer: customer ? frozenCustomer(customer) : null,
    };
  }

  const refTo = ({ identity: { account, env } }: Call, id: string, file: Pick<FileRef, 'format' | 'kind'>): FileRef => ({
    ...{ ...file, account, env, id },
  });

  return {
    /** Throws not_found. */
    async pdf(call: Call, kind: DocumentKind, id: string): Promise<DocumentFileResource> {
      await documentTypes[kind].documents.text(call, id);
      return links.linkTo(refTo(call, id, { format: 'pdf', kind }));
    },

    /** Throws not_found, invalid_state of a draft, not_representable. */
    async ubl(call: Call, id: string): Promise<UblFileResource> {
      const ref = refTo(call, id, { format: 'ubl', kind: 'invoice' });
      const { job } = await jobOf(ref);
      const { missing } = await renderer.render(ref.account, { ...job, make: 'conformance' });
      return { ...links.linkTo(ref), conforms: missing.length === 0, missing };
    },

    /** Throws not_found for a link that does not open. */
    async open(token: string): Promise<OpenedFile> {
      const ref = links.opened(token);
      const { job, name } = await jobOf(ref);
      const { bytes } = await renderer.render(ref.account, job);
      const { type, extension } = types[ref.format];
      return { name: `${name.replaceAll(/[^\w.-]+/g, '-')}.${extension}`, type, bytes };
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
