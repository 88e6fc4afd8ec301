import type { Collection } from '@svc/document-store';
import type { Clock, Uid } from '@svc/kernel';
import { rowId } from './fingerprint.ts';
import type { Claim, IdempotencyRow, KeptAnswer, Repeatable } from './row.ts';

/** What the previous release knows of a request whose claim is held here. */
export type Known = { kind: 'run'; claim: Claim } | { kind: 'answered'; answer: KeptAnswer; until: number } | { kind: 'in_use' };

export interface PreviousReleaseOptions {
  rows: Collection<IdempotencyRow>;
  clock: Pick<Clock, 'now'>;
  /** The command that rotated this API key last. */
  rotatedBy(key: string): Promise<Uid | null>;
}

/**
 * The previous release keeps a request of one API key under account and environment alone. Answers what it left there where it is this
 * key's: its answer, or its command to go on with. Where it left nothing, a row there makes its replicas refuse repeats for 48 hours, so
 * that they do not run them a second time; other requests take that row over. Goes with the release after this one.
 */
export function createPreviousRelease({ rows, clock, rotatedBy }: PreviousReleaseOptions) {
  return async (claim: Claim, { scope, key, ofKey }: Repeatable & { ofKey: string }): Promise<Known> => {
    const _id = rowId(scope, key);
    if (await rows.insert({ ...claim, _id, version: 1, until: claim.due_at, guard: true })) return { kind: 'run', claim };
    const row = await rows.get(_id);
    if (row === undefined || row.guard || row.fingerprint !== claim.fingerprint) return { kind: 'run', claim };
    if (row.answer === null && row.until > clock.now()) return { kind: 'in_use' }; // perhaps of another key: a repeat finds out
    if (row.command !== (await rotatedBy(ofKey))) return { kind: 'run', claim };
    if (row.answer !== null) return { kind: 'answered', answer: row.answer, until: row.due_at };
    const [taken] = await rows.claim({ _id: claim._id, version: claim.version }, { set: { command: row.command } });
    return taken ? { kind: 'run', claim: taken } : { kind: 'in_use' };
  };
}
