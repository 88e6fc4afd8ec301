import type { AuthorityId } from './authorities.ts';
import type { Book } from './book.ts';
import type { Fault, Occasion } from './faults.ts';

/** One HTTP request, read whole. Header names are in lower case. */
export interface WireRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string | undefined>;
  body: Buffer;
  /** More bytes came than the authority reads; `body` is empty. */
  isTooLarge: boolean;
  /** What the client presented in its TLS handshake (DER); null: nothing; undefined: the connection is not TLS. */
  clientCertificate: Buffer | null | undefined;
}

export interface Reply {
  /** null: no answer; the connection is closed. */
  status: number | null;
  headers: Record<string, string>;
  body: Buffer;
  delayMs?: number;
}

export interface Exchanged {
  /** The name in the authority's description of its service; empty for a request that is none of it. */
  operation: string;
  /** The scripted fault that changed the exchange. */
  fault: string | null;
  reply: Reply;
}

export interface WireContext {
  /** What the authority knows about the taxpayers of the caller's account. */
  book: Book;
  /** Taxpayers, keys and certificates: of all accounts. */
  registry: Book;
  /** Milliseconds since 1970, by the authority's clock. */
  now: number;
  /** The scripted fault for this call, counted down; undefined: none. */
  fault(occasion: Occasion): Fault | undefined;
  /** The same without what the request's own header asks for. */
  scripted(occasion: Occasion): Fault | undefined;
}

/** The protocol of one authority. */
export interface Wire {
  authority: AuthorityId;
  /** Paths of its service. */
  paths: readonly string[];
  /** Most bytes of a body that is read. */
  maxBody: number;
  /** Judges one request and answers it. Called inside of one write of the storage. */
  answer(request: WireRequest, context: WireContext): Exchanged;
}

export const noReply: Reply = { status: null, headers: {}, body: Buffer.alloc(0) };
export const xmlReply = (status: number, xml: string): Reply => ({
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: Buffer.from(xml),
});
/** An answer of a machine in front of the authority: it says nothing about the document. */
export const pageReply = (status: number, text: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(`<html><body><h1>${status}</h1><p>${text}</p></body></html>`),
});
