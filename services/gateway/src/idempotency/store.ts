import type { Collection } from '@svc/document-store';
import type { AnswerAgain } from '@svc/contracts/http/answer-again';
import { type Clock, recentlyUsed } from '@svc/kernel';
import type { KeyRing } from '@svc/service';
import { createAgain } from './again.ts';
import { createCompression, isLarge } from './compression.ts';
import type { Processes } from './processes.ts';
import {
  IDEMPOTENCY_KEYS,
  KEPT_MS,
  rowId,
  type AnswerForm,
  type Claim,
  type IdempotencyRow,
  type KeptAnswer,
  type Repeatable,
} from './row.ts';

/** During the lease a repeat is answered 409 (`waiting.ts`: after a while), unless its process is known to be gone. After it the next request runs, under the same command id. */
const LEASE_MS = 60_000;
/** Attempts. A row may be removed between insert and read. */
const MOST_LOOKS = 3;
const MOST_ENDED = 10_000;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Of a body that still has to be given it. */
  form?: AnswerForm;
}

/** `elsewhere`: the request runs in another process, as far as its lease says. */
export type Begun =
  { kind: 'run'; claim: Claim } | { kind: 'replay'; answer: Answer } | { kind: 'in_use'; elsewhere?: boolean } | { kind: 'reused' };

/** What a response is about. */
export interface AnswerAbout {
  account: string;
  /** The customer whose personal data it holds: see `subject.ts`. */
  subject: string | null;
  secret: 'shown' | 'none';
  /** It is stored as it is, however long. until 0.3: see `keptWhole`. */
  whole?: boolean;
}

export interface IdempotencyStoreOptions {
  rows: Collection<IdempotencyRow>;
  clock: Pick<Clock, 'now'>;
  secrets: KeyRing;
  /** The processes that share the keys. */
  processes: Pick<Processes, 'own' | 'isGone'>;
  /** Absent: what was to be made again runs again under its command id. */
  answerAgain?: AnswerAgain | undefined;
  /** Called with the stored bytes of each response that was kept. */
  kept?: (account: string, bytes: number) => void;
}

export function createIdempotencyStore(options: IdempotencyStoreOptions) {
  const { rows, clock, secrets, processes, answerAgain, kept: counted } = options;
  const compression = createCompression();
  const madeAgain = createAgain(rows, answerAgain);

  /** Claims of this process under which nothing runs, that ended or began while the store took nothing: their rows may look as if they ran. */
  const ended = recentlyUsed<string>(MOST_ENDED);

  async function orEnded<T>(claim: Pick<Claim, '_id' | 'version' | 'command'>, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      ended.set(claim._id, runOf(claim));
      throw error;
    }
  }

  const settle = async (claim: Claim, change: Partial<IdempotencyRow>): Promise<void> =>
    void (await orEnded(
      claim,
      () => rows.write([{ put: { ...claim, ...change, version: claim.version + 1, until: 0, runs_in: undefined, again: undefined } }]), // a later claim has a higher version and stays
    ));

  const runsIn = (version: number): IdempotencyRow['runs_in'] => {
    const process = processes.own();
    return process === undefined ? undefined : { process, version };
  };

  /** Whether the run that has the claim of a row is over. */
  const isLeft = async (row: IdempotencyRow): Promise<boolean> =>
    ended.get(row._id) === runOf(row) || (row.runs_in?.version === row.version && (await processes.isGone(row.runs_in.process)));

  const isElsewhere = ({ version, runs_in }: IdempotencyRow): boolean =>
    runs_in?.version === version && runs_in.process !== processes.own();

  const takeOver = async (row: IdempotencyRow, now: number, change: Partial<IdempotencyRow> = {}): Promise<Begun> => {
    const set = { until: now + LEASE_MS, runs_in: runsIn(row.version + 1), due_at: now + KEPT_MS, again: undefined, ...change }; // its response is kept as long as that of a first request
    const [claim] = await orEnded({ ...row, ...change, version: row.version + 1 }, () =>
      rows.claim({ _id: row._id, version: row.version }, { set }),
    );
    // Another process may have taken it over first.
    return claim ? { kind: 'run', claim } : { kind: 'in_use', elsewhere: true };
  };

  const decryptedAnswer = (_id: string, { status, headers, sealed }: KeptAnswer, kept: string): Answer => ({
    status,
    headers,
    body: sealed ? secrets.decrypt(kept, { collection: IDEMPOTENCY_KEYS, id: _id }).toString('utf8') : kept,
  });

  /** Reads the row once more in its turn, so that those that wait hold no response. */
  async function replayCompressed(_id: string, scope: string): Promise<Begun> {
    const found = await compression.decompress(accountOf(scope), async () => {
      const { compressed: of, answer_text: text = '' } = (await rows.get(_id)) ?? {};
      return of && { bytes: bytesOf(_id, of, text), of };
    });
    if (!found) return { kind: 'in_use' }; // erased since: a repeat runs again
    const { body, of } = found;
    return { kind: 'replay', answer: { status: of.status, headers: of.headers, body } };
  }

  const bytesOf = (_id: string, { sealed }: KeptAnswer, text: string): Uint8Array =>
    sealed ? secrets.decrypt(text, { collection: IDEMPOTENCY_KEYS, id: _id }) : Buffer.from(text, 'base64');

  const claimRow = async (_id: string, request: Repeatable): Promise<Begun> => {
    const { scope, fingerprint, command } = request;
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const now = clock.now();
      const first: IdempotencyRow = {
        _id,
        version: 1,
        fingerprint,
        command,
        until: now + LEASE_MS,
        runs_in: runsIn(1),
        subject: null,
        answer: null,
        due_at: now + KEPT_MS,
      };
      if (await orEnded(first, () => madeAgain.insert(request, first))) return { kind: 'run', claim: first };
      const row = await rows.get(_id);
      if (row === undefined) continue;
      // until 0.3: replicas of 0.1.0 store such a row beside that of a key's rotation, which others may take over
      if (row.guard && row.fingerprint !== fingerprint) return takeOver(row, now, { fingerprint, command, guard: undefined });
      if (row.fingerprint !== fingerprint) return { kind: 'reused' };
      if (row.answer !== null) return { kind: 'replay', answer: decryptedAnswer(_id, row.answer, row.answer.body ?? '') };
      if (row.compressed) return replayCompressed(_id, scope);
      if (row.again) {
        const answer = await madeAgain.answer(request, row);
        return answer ? { kind: 'replay', answer } : takeOver(row, now);
      }
      const isRunning = row.until > now && !(await isLeft(row));
      return isRunning ? { kind: 'in_use', ...(isElsewhere(row) && { elsewhere: true }) } : takeOver(row, now);
    }
    return { kind: 'in_use' };
  };

  return {
    /** Of concurrent requests under one key one runs, until there is a response. */
    begin(request: Repeatable): Promise<Begun> {
      const { scope, key, ofKey } = request;
      return claimRow(rowId(ofKey === undefined ? scope : `${scope}.${ofKey}`, key), request);
    },

    /** Whether a repeat gets this response already: there is nothing to keep. */
    isComplete: madeAgain.isComplete,

    /** Stores the response for repeats, above 64 KiB compressed. Does nothing when another request has taken the key over. */
    async keep(claim: Claim, { status, headers, body }: Answer, { account, subject, secret, whole = false }: AnswerAbout): Promise<void> {
      const sealed = secret === 'shown';
      if (isLarge(body) && !whole) {
        const bytes = await compression.compress(account, body).catch(async (error: unknown) => {
          await settle(claim, {});
          throw error;
        });
        const text = sealed ? secrets.encrypt(bytes) : bytes.toString('base64');
        await settle(claim, { subject, answer: null, compressed: { status, headers, sealed }, answer_text: text });
        return counted?.(account, text.length);
      }
      const kept = sealed ? secrets.encrypt(body) : body;
      const answer = { status, headers, body: kept, sealed };
      await settle(claim, { subject, answer, answer_text: undefined, compressed: undefined });
      counted?.(account, Buffer.byteLength(kept));
    },

    /** Releases the key without a response: the next repeat runs at once. */
    release: (claim: Claim): Promise<void> => settle(claim, {}),
  };
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/** A row has it as long as no other run has taken it over. */
const runOf = ({ version, command }: Pick<Claim, 'version' | 'command'>): string => `${version} ${command}`;

const accountOf = (scope: string): string => scope.slice(scope.indexOf('.') + 1);
