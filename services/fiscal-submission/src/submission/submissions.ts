import {
  createCommandHandler,
  type CommandHandler,
  type Env,
  type Ids,
  type StateCache,
  type Streams,
  streamOf,
  type Decider,
} from '@svc/kernel';
import { type Command, decide } from './domain/decide.ts';
import { submissionEvents, type SubmissionEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import { initialState, type State } from './domain/state.ts';
import type { StoredBytesCount } from '@svc/service';
import { countSubmissions } from './metrics.ts';

export const CATEGORY = 'submission';

/** `submission-<env>.<account>.<document>`. With another tenant's document id the stream does not exist. */
export const submissionStream = (env: Env, account: string, documentId: string): string => streamOf(CATEGORY, env, account, documentId);

export type Submissions = CommandHandler<State, Command, SubmissionEvent>;

/** What follows from a request of the account. What an authority or this service causes does not count for its storage. */
const OF_REQUESTS: ReadonlySet<SubmissionEvent['type']> = new Set([
  'SubmissionOpened',
  'RecordPrepared',
  'CancellationRequested',
  'CancellationPrepared',
]);

export interface SubmissionsOptions {
  streams: Streams;
  ids: Ids;
  cache: StateCache<State>;
  stored: StoredBytesCount;
}

/** The command handler of all submissions. Counts them by outcome, and the bytes that accounts have stored. */
export function createSubmissions({ streams, ids, cache, stored }: SubmissionsOptions): Submissions {
  const handler = createCommandHandler({ streams, decider: submission, ...submissionEvents, ids, cache });
  return {
    ...handler,
    async handle(stream, decide, metadata, turn) {
      const handled = await handler.handle(stream, decide, metadata, turn);
      // A worker takes a new submission up at once, and would read and fold what was just appended.
      if (handled.events[0]?.type === 'SubmissionOpened') {
        const { events: _events, after: _after, ...folded } = handled;
        cache.set(stream, folded);
      }
      if (handled.after && handled.events.some(({ type }) => OF_REQUESTS.has(type)))
        stored.add(metadata.account, handled.bytes - handled.after.bytesBefore);
      countSubmissions(handled.events, metadata.env);
      return handled;
    },
  };
}

/** A submission read from its stream, not from the cache; `none` when it does not exist in this account and environment. */
export async function readSubmission(streams: Pick<Streams, 'read'>, env: Env, account: string, documentId: string): Promise<State> {
  const recorded = await streams.read(submissionStream(env, account, documentId));
  return recorded.map(submissionEvents.decode).reduce(evolve, initialState);
}

export const submission: Decider<State, Command, SubmissionEvent> = { initialState, decide, evolve };
