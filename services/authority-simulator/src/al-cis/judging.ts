import type { Book } from '../wires/book.ts';
import type { Dialect } from './dialect.ts';
import type { Message } from './message.ts';

/** A message whose form, certificate and signature are right, with what it is judged by. */
export interface Judging {
  message: Message;
  dialect: Dialect;
  /** The taxpayer who sends. */
  taxId: string;
  /** By the authority's clock. */
  now: number;
  /** The account's documents, tills and deposits. */
  book: Book;
  /** Taxpayers, keys and certificates: those of all accounts. */
  registry: Book;
  /** What a document gets that is registered already: its code again, or a refusal. The specification is silent. */
  resends: 'same' | 'refused';
}
