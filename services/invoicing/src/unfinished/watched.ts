import type { Env, Recorded } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';

/** A document, wherever it stands. */
export interface DocumentRef {
  account: string;
  env: Env;
  id: string;
}

/** How one category's documents show that they are between steps, and what brings them on. */
export interface Watched {
  category: string;
  /** `open`: the document has begun what another step must end; `done`: it is at rest again; undefined: the event says nothing of it. */
  step(recorded: Recorded): 'open' | 'done' | undefined;
  /** Runs the steps that are missing; any number of actors may, at any time. Returns when the document is at rest. */
  finish(context: InvoicingContext, document: DocumentRef): Promise<void>;
}
