import type { Collection } from '@svc/document-store';
import type { Clock, Uid } from '@svc/kernel';
import { rowId, type Claim, type IdempotencyRow, type KeptAnswer, type Repeatable } from './row.ts';

/** State of a request at the previous release, while this process holds its claim. */
export type Known = { kind: 'run'; claim: Claim } | { kind: 'answered'; answer: KeptAnswer; until: number } | { kind: 'in_use' };

export interface PreviousReleaseOptions {
  rows: Collection<IdempotencyRow>;
  clock: Pick<Clock, 'now'>;
  /** The command that rotated this API key last. */
  rotatedBy(key: string): Promise<Uid | null>;
  /** No other process has these rows: there is no replica to be warned. */
  alone: boolean;
}

/**
 * The previous release stores a key rotation under account and environment, without the API key. Returns what it stored for this API key: its
 * response, or its command to continue. When it stored nothing, a guard row makes its replicas answer 409 for 48 hours, so that they do not
 * rotate a second time; another request takes the guard row over. To be removed with the next release.
 */
export function createPreviousRelease({ rows, clock, rotatedBy, alone }: PreviousReleaseOptions) {
  return async (claim: Claim, { scope, key, ofKey }: Repeatable & { ofKey: string }): Promise<Known> => {
    const _id = rowId(scope, key);
    if (!alone && (await rows.insert({ ...claim, _id, version: 1, until: claim.due_at, runs_in: undefined, guard: true })))
      return { kind: 'run', claim };
    const row = await rows.get(_id);
    if (row === undefined || row.guard || row.fingerprint !== claim.fingerprint) return { kind: 'run', claim };
    if (!alone && row.answer === null && row.until > clock.now()) return { kind: 'in_use' }; // possibly of another API key; a repeat decides
    if (row.command !== (await rotatedBy(ofKey))) return { kind: 'run', claim };
    if (row.answer !== null) return { kind: 'answered', answer: row.answer, until: row.due_at };
    const [taken] = await rows.claim({ _id: claim._id, version: claim.version }, { set: { command: row.command } });
    return taken ? { kind: 'run', claim: taken } : { kind: 'in_use' };
  };
}
