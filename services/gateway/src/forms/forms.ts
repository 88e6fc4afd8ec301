import { type Collection, compareAndSet, type DocumentStore, type Job } from '@svc/document-store';
import { type Clock, type Env, invalid, notFound } from '@svc/kernel';
import type { KeyRing } from '@svc/service';
import { addAuditBytes, type AuditBytesRows } from '../storage/audit-bytes.ts';

/** A form that a member has not finished. `_id` is of member, environment and name. */
export interface Form extends Job {
  /** The member and environment. */
  owner: string;
  /** Ciphertext of its JSON. */
  content: string;
  account: string;
  /** What it counts in what its account stores. */
  bytes: number;
  /** When it is removed, in milliseconds since 1970. */
  due_at: number;
}

/** Whose form: a member is of one account. */
export interface FormOf {
  account: string;
  member: string;
  env: Env;
  name: string;
}

export interface Forms {
  rows: Collection<Form>;
  /** Keeps it for 30 days, in the place of the one before. Throws not_found for a name that is none, validation_error beyond 50 of a member. */
  keep(of: FormOf, content: object): Promise<void>;
  /** As it was kept. Throws not_found. */
  read(of: FormOf): Promise<object>;
  /** Nothing where there is none. */
  remove(of: FormOf): Promise<void>;
  /** Removes forms at these versions: one that was kept again meanwhile stays. */
  removeAll(forms: readonly Form[]): Promise<void>;
}

interface Parts {
  documents: DocumentStore;
  /** Counts the bytes of forms in what their accounts store. */
  auditBytes: AuditBytesRows;
  secrets: KeyRing;
  clock: Clock;
}

/** The collection of forms. Ciphertexts are bound to it by its name. */
export const FORMS = 'forms';
const KEPT_MS = 30 * 86_400_000;
const MOST_FORMS = 50;
const NAME = /^[a-z0-9_-]{1,64}$/;

export function createForms({ documents, auditBytes, secrets, clock }: Parts): Forms {
  const rows = documents.collection<Form>(FORMS, { indexes: [{ fields: ['due_at'] }, { fields: ['owner'] }] });

  const ownerOf = ({ member, env }: FormOf): string => `${member}.${env}`;
  const idOf = (of: FormOf): string => {
    if (!NAME.test(of.name)) throw notFound('form');
    return `${ownerOf(of)}.${of.name}`;
  };

  /** Replaces the form that there is; false: there is none. */
  async function putAgain(account: string, id: string, set: Pick<Form, 'content' | 'due_at' | 'bytes'>): Promise<boolean> {
    let before = 0;
    const change = ({ bytes }: Form) => {
      before = bytes;
      return set;
    };
    const { doc } = await compareAndSet<Form, undefined>(rows, id, { absent: () => undefined, change });
    if (doc) await addAuditBytes(auditBytes, account, set.bytes - before);
    return doc !== undefined;
  }

  /** What it counts is taken away by whoever takes its bytes: once, also where another one keeps or removes it meanwhile. */
  async function removeOne({ _id, version, account, bytes }: Form): Promise<void> {
    const [taken] = await rows.claim({ _id, version }, { set: { bytes: 0 } });
    if (!taken) return;
    await rows.write([{ delete: _id, version: taken.version }]);
    if (bytes > 0) await addAuditBytes(auditBytes, account, -bytes);
  }

  return {
    rows,
    async keep(of, content) {
      const [id, owner, { account }] = [idOf(of), ownerOf(of), of];
      const text = secrets.encrypt(JSON.stringify(content));
      const set = { content: text, bytes: text.length, due_at: clock.now() + KEPT_MS };
      if (await putAgain(account, id, set)) return;
      if ((await rows.count({ owner })) >= MOST_FORMS)
        throw invalid({ name: [`There are ${MOST_FORMS} unfinished forms: delete one first.`] });
      if (await rows.insert({ _id: id, version: 1, owner, account, ...set })) await addAuditBytes(auditBytes, account, set.bytes);
      else await putAgain(account, id, set);
    },
    async read(of) {
      const id = idOf(of);
      const form = await rows.get(id);
      if (!form || form.due_at <= clock.now()) throw notFound('form');
      return JSON.parse(secrets.decrypt(form.content, { collection: FORMS, id }).toString('utf8')) as object;
    },
    async remove(of) {
      const form = await rows.get(idOf(of));
      if (form) await removeOne(form);
    },
    async removeAll(forms) {
      for (const form of forms) await removeOne(form);
    },
  };
}
