import type { KeyRing } from '@svc/service';
import { rowId } from './fingerprint.ts';
import { createPreviousRelease, type PreviousReleaseOptions } from './previous-release.ts';
import type { Claim, IdempotencyRow, Repeatable } from './row.ts';

/** While it lives, a repeat is told to wait; after it the next caller runs, under the same command id. */
const LEASE_MS = 60_000;
/** 48 h, and some minutes so that the last answer of a key's first minutes is kept as long. */
const KEPT_MS = 48 * 3_600_000 + 5 * 60_000;
/** A row may vanish between two looks, when its time is over. */
const MOST_LOOKS = 3;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Begun = { kind: 'run'; claim: Claim } | { kind: 'replay'; answer: Answer } | { kind: 'in_use' } | { kind: 'reused' };

export interface IdempotencyStore {
  /** Of any number of requests under one key one runs at a time, and only until there is an answer. */
  begin(request: Repeatable): Promise<Begun>;
  /** The claim's answer, for every repeat from now on. Nothing when somebody else has the key by now. */
  keep(claim: Claim, answer: Answer, about: { subject: string | null; secret: 'shown' | 'none' }): Promise<void>;
  /** There is no answer worth keeping: the next repeat runs at once. */
  release(claim: Claim): Promise<void>;
}

export function createIdempotencyStore({
  rows,
  clock,
  secrets,
  rotatedBy,
}: PreviousReleaseOptions & { secrets: KeyRing }): IdempotencyStore {
  const previousRelease = createPreviousRelease({ rows, clock, rotatedBy });

  const settle = (claim: Claim, change: Partial<IdempotencyRow>): Promise<void> =>
    rows.write([{ put: { ...claim, ...change, version: claim.version + 1, until: 0 } }]); // over this claim alone: a later one has a higher version

  const takeOver = async (row: IdempotencyRow, now: number, change: Partial<IdempotencyRow> = {}): Promise<Begun> => {
    const [claim] = await rows.claim(
      { _id: row._id, version: row.version },
      {
        set: { until: now + LEASE_MS, due_at: now + KEPT_MS, ...change }, // its answer is to be kept as long as a first one's
      },
    );
    return claim ? { kind: 'run', claim } : { kind: 'in_use' };
  };

  const openAnswer = ({ status, headers, body, sealed }: NonNullable<IdempotencyRow['answer']>): Answer => ({
    status,
    headers,
    body: sealed ? secrets.decrypt(body).toString('utf8') : body,
  });

  const claimRow = async (_id: string, { fingerprint, command }: Repeatable): Promise<Begun> => {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const now = clock.now();
      const first: IdempotencyRow = {
        _id,
        version: 1,
        fingerprint,
        command,
        until: now + LEASE_MS,
        subject: null,
        answer: null,
        due_at: now + KEPT_MS,
      };
      if (await rows.insert(first)) return { kind: 'run', claim: first };
      const row = await rows.get(_id);
      if (row === undefined) continue;
      if (row.guard && row.fingerprint !== fingerprint) return takeOver(row, now, { fingerprint, command, guard: undefined });
      if (row.fingerprint !== fingerprint) return { kind: 'reused' };
      if (row.answer !== null) return { kind: 'replay', answer: openAnswer(row.answer) };
      return row.until > now ? { kind: 'in_use' } : takeOver(row, now);
    }
    return { kind: 'in_use' };
  };

  return {
    async begin(request) {
      const { scope, key, ofKey } = request;
      if (ofKey === undefined) return claimRow(rowId(scope, key), request);
      const begun = await claimRow(rowId(`${scope}.${ofKey}`, key), request);
      if (begun.kind !== 'run') return begun;
      const known = await previousRelease(begun.claim, { ...request, ofKey });
      if (known.kind === 'run') return known;
      const { answer, until } = known.kind === 'answered' ? known : { answer: null, until: begun.claim.due_at };
      await settle(begun.claim, { answer, due_at: until });
      return answer === null ? { kind: 'in_use' } : { kind: 'replay', answer: openAnswer(answer) };
    },

    keep(claim, { status, headers, body }, { subject, secret }) {
      const sealed = secret === 'shown';
      return settle(claim, { subject, answer: { status, headers, body: sealed ? secrets.encrypt(body) : body, sealed } });
    },

    release: (claim) => settle(claim, {}),
  };
}
