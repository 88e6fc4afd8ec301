import type { DocumentStore } from '@svc/document-store';
import type { EventBus } from '@svc/event-bus';
import type { Clock, Env, Ids } from '@svc/kernel';
import type { BackgroundWork } from '../background/background.ts';
import type { Logger } from '../logging/logger.ts';
import { type Audited, type Change, entryOf } from './audited.ts';
import { publishesChanges } from './publish-changes.ts';

/** What an operator does to an account, until it is published. `_id`: of its entry. */
interface OperatorAction extends Audited {
  account: string;
  env: Env;
}

/** `changes`: none where it changes no setting. */
export type ActionNoted = Pick<Change, 'type' | 'verb' | 'target'> & { account: string; env: Env; changes?: Change['changes'] };

/**
 * Stores that an operator does something to an account, for its audit. To be called before it is done: whatever ends the process, the audit has it, at worst with
 * what was not done after all.
 */
export type NoteAction = (action: ActionNoted) => Promise<void>;

interface OperatorActionsOptions {
  /** The service's own. */
  documents: DocumentStore;
  /** The service. */
  source: string;
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** For actions of operators that no stored event says and no stored document carries. */
export function openOperatorActions({ documents, source, bus, clock, ids, logger }: OperatorActionsOptions): {
  note: NoteAction;
  work: BackgroundWork;
} {
  const actions = documents.collection<OperatorAction>('operator_actions', { indexes: [{ fields: ['due_at'] }] });
  const work = publishesChanges({
    ...{ name: 'operator actions', source, collection: actions, bus, clock, logger },
    accountOf: ({ account, env }) => ({ account, env }),
    afterwards: () => 'gone' as const,
  });
  return {
    work,
    async note({ account, env, changes = {}, ...change }) {
      const [_id, now] = [ids.next(), clock.now()];
      const unpublished = [entryOf({ actor: { type: 'system', id: 'operator' }, changes, ...change }, _id, now)];
      await actions.insert({ _id, version: 1, account, env, unpublished, due_at: now });
    },
  };
}
