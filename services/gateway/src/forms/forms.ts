import { type Collection, compareAndSet, type DocumentStore, type Job } from '@svc/document-store';
import { type Clock, type Env, invalid, notFound } from '@svc/kernel';
import type { KeyRing } from '@svc/service';

/** A form that a member has not finished. `_id` is of member, environment and name. */
export interface Form extends Job {
  /** The member and environment. */
  owner: string;
  /** Ciphertext of its JSON. */
  content: string;
  /** When it is removed, in milliseconds since 1970. */
  due_at: number;
}

/** Whose form: a member is of one account. */
export interface FormOf {
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
}

/** The collection of forms. Ciphertexts are bound to it by its name. */
export const FORMS = 'forms';
const KEPT_MS = 30 * 86_400_000;
const MOST_FORMS = 50;
const NAME = /^[a-z0-9_-]{1,64}$/;

export function createForms({ documents, secrets, clock }: { documents: DocumentStore; secrets: KeyRing; clock: Clock }): Forms {
  const rows = documents.collection<Form>(FORMS, { indexes: [{ fields: ['due_at'] }, { fields: ['owner'] }] });

  const ownerOf = ({ member, env }: FormOf): string => `${member}.${env}`;
  const idOf = (of: FormOf): string => {
    if (!NAME.test(of.name)) throw notFound('form');
    return `${ownerOf(of)}.${of.name}`;
  };

  return {
    rows,
    async keep(of, content) {
      const [id, owner] = [idOf(of), ownerOf(of)];
      const set = { content: secrets.encrypt(JSON.stringify(content)), due_at: clock.now() + KEPT_MS };
      const { doc } = await compareAndSet<Form, undefined>(rows, id, { absent: () => undefined, change: () => set });
      if (doc) return;
      if ((await rows.count({ owner })) >= MOST_FORMS)
        throw invalid({ name: [`There are ${MOST_FORMS} unfinished forms: delete one first.`] });
      const made = await rows.insert({ _id: id, version: 1, owner, ...set });
      if (!made) await compareAndSet<Form, undefined>(rows, id, { absent: () => undefined, change: () => set });
    },
    async read(of) {
      const id = idOf(of);
      const form = await rows.get(id);
      if (!form || form.due_at <= clock.now()) throw notFound('form');
      return JSON.parse(secrets.decrypt(form.content, { collection: FORMS, id }).toString('utf8')) as object;
    },
    async remove(of) {
      await rows.write([{ delete: idOf(of) }]);
    },
  };
}
