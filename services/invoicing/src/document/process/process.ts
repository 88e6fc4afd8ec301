import type { Env, EventMetadata, Recorded } from '@svc/kernel';
import type { DocumentContext } from '../context.ts';

/** A document, wherever it stands. */
export interface DocumentRef {
  account: string;
  env: Env;
  id: string;
}

/** Metadata of a step: without a command id, which stands in the event of the command that began the process. */
export type Continuing = Omit<EventMetadata, 'v' | 'command_id'>;

/** An event after which a command is due, on this stream or another one. */
export interface Step {
  /** Type of the stored event. */
  after: string;
  /** Of its data: false where nothing is due after it. */
  when?(data: object): boolean;
  /** Types of the events, on the same stream, that say that the step is done. */
  until: readonly string[];
  /** Any number of actors may run it at any time; once it is done it changes nothing. Returns when it is done. */
  run(context: DocumentContext, document: DocumentRef, metadata: Continuing): Promise<unknown>;
}

/** How one category's documents show that they are between steps, and what brings them on. */
export interface Process {
  category: string;
  /** `open`: a step is due; `done`: none is; undefined: the event says nothing of it. */
  step(recorded: Recorded): 'open' | 'done' | undefined;
  /** Runs the steps that are missing; any number of actors may, at any time. Returns when the document is at rest. */
  finish(context: DocumentContext, document: DocumentRef): Promise<void>;
}

/** The table of a category's steps, in their order. A step runs in the turn of the command that makes it due, and again by the job until it is done. */
export const processOf = (category: string, steps: readonly Step[]): Process => ({
  category,
  step({ type, data }) {
    if (steps.some(({ after, when }) => after === type && (when === undefined || when(data)))) return 'open';
    return steps.some(({ until }) => until.includes(type)) ? 'done' : undefined;
  },
  async finish(context, document) {
    const { account, env } = document;
    for (const { run } of steps) await run(context, document, { account, env, actor: { type: 'system', id: 'invoicing' } });
  },
});
