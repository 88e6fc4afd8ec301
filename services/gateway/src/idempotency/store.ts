import type { KeyRing } from '@svc/service';
import { rowId, type Claim, type IdempotencyRow, type Repeatable } from './row.ts';
import { createPreviousRelease, type PreviousReleaseOptions } from './previous-release.ts';

/** During the lease a repeat is answered 409. After it the next request runs, under the same command id. */
const LEASE_MS = 60_000;
/** 48 h, and some minutes for the time between the first request and its response. */
const KEPT_MS = 48 * 3_600_000 + 5 * 60_000;
/** Attempts. A row may be removed between insert and read. */
const MOST_LOOKS = 3;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Begun = { kind: 'run'; claim: Claim } | { kind: 'replay'; answer: Answer } | { kind: 'in_use' } | { kind: 'reused' };

export interface IdempotencyStore {
  /** Of concurrent requests under one key one runs, until there is a response. */
  begin(request: Repeatable): Promise<Begun>;
  /** Stores the response for repeats. Does nothing when another request has taken the key over. */
  keep(claim: Claim, answer: Answer, about: { subject: string | null; secret: 'shown' | 'none' }): Promise<void>;
  /** Releases the key without a response: the next repeat runs at once. */
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
    rows.write([{ put: { ...claim, ...change, version: claim.version + 1, until: 0 } }]); // a later claim has a higher version and stays

  const takeOver = async (row: IdempotencyRow, now: number, change: Partial<IdempotencyRow> = {}): Promise<Begun> => {
    const [claim] = await rows.claim(
      { _id: row._id, version: row.version },
      {
        set: { until: now + LEASE_MS, due_at: now + KEPT_MS, ...change }, // its response is kept as long as that of a first request
      },
    );
    return claim ? { kind: 'run', claim } : { kind: 'in_use' };
  };

  const decryptedAnswer = ({ status, headers, body, sealed }: NonNullable<IdempotencyRow['answer']>): Answer => ({
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
      if (row.answer !== null) return { kind: 'replay', answer: decryptedAnswer(row.answer) };
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
      return answer === null ? { kind: 'in_use' } : { kind: 'replay', answer: decryptedAnswer(answer) };
    },

    keep(claim, { status, headers, body }, { subject, secret }) {
      const sealed = secret === 'shown';
      return settle(claim, { subject, answer: { status, headers, body: sealed ? secrets.encrypt(body) : body, sealed } });
    },

    release: (claim) => settle(claim, {}),
  };
}
