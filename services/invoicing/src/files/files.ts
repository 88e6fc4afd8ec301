import type { DocumentFileResource, UblFileResource } from '@svc/contracts/document/file';
import { LINKS } from '@svc/contracts/document/link';
import type { DocumentKind } from '@svc/contracts/documents';
import type { Env, JsonText } from '@svc/kernel';
import { signedLinks, type SignedLinksOptions } from '@svc/service';
import type { Call, DocumentContext, Reading } from '../document/context.ts';
import { frozenCustomer } from '../document/domain/parties.ts';
import type { Parties } from '@svc/document-files/pdf/document';
import type { Format, Job, Preceding } from '@svc/document-files/render';
import type { Renderer } from '@svc/document-files/renderer';

export const FILES = Symbol('Files');

/** Begins the tokens of this service. */
export const FILES_PATH = `${LINKS}invoicing.`;

/** What a link names: a file that is made of a document. */
type Claims = [format: Format, kind: DocumentKind, env: Env, account: string, id: string];

interface FilesOptions {
  context: DocumentContext;
  secrets: SignedLinksOptions['secrets'];
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
export function createFiles({ context, secrets, renderer, documentTypes }: FilesOptions) {
  const links = signedLinks<Claims>({ ...context, secrets }, { path: FILES_PATH, purpose: 'links of files' });

  async function jobOf(...[format, kind, env, account, id]: Claims): Promise<{ job: Job; name: string }> {
    const { documents } = documentTypes[kind];
    const identity = { account, env };
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
  async function presentParties({ account, env }: { account: string; env: Env }, customerId: string | null): Promise<Parties> {
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

  return {
    /** Throws not_found. */
    async pdf(call: Call, kind: DocumentKind, id: string): Promise<DocumentFileResource> {
      await documentTypes[kind].documents.text(call, id);
      return links.linkTo('pdf', kind, call.identity.env, call.identity.account, id);
    },

    /** Throws not_found, invalid_state of a draft, not_representable. */
    async ubl(call: Call, id: string): Promise<UblFileResource> {
      const { env, account } = call.identity;
      const claims: Claims = ['ubl', 'invoice', env, account, id];
      const { job } = await jobOf(...claims);
      const { missing } = await renderer.render(account, { ...job, make: 'conformance' });
      return { ...links.linkTo(...claims), conforms: missing.length === 0, missing };
    },

    /** Throws not_found for a link that does not open. */
    async open(token: string): Promise<OpenedFile> {
      const claims = links.opened(token);
      const [format, , , account] = claims;
      const { job, name } = await jobOf(...claims);
      const { bytes } = await renderer.render(account, job);
      const { type, extension } = types[format];
      return { name: `${name.replaceAll(/[^\w.-]+/g, '-')}.${extension}`, type, bytes };
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
