import { ApiError } from '@svc/client/console';
import { useNavigate } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { Once } from '../../api/intent.ts';
import { Cancelled } from '../../api/prompts.ts';
import { shown } from '../../api/shown.ts';
import { documentAddress, type Invoice } from '../../documents/documents.ts';
import { type Saving, useSaving } from '../../ui/saving.ts';
import { errorsOf, type FormErrors, hasAny, hasFieldForAll, noErrors, type ShownFields } from './errors.ts';
import type { Base, Keeping } from './kept.ts';
import { baseOf, useDraft, useTheirs } from './use-draft.ts';
import type { FormValues } from './values.ts';

type Goal = 'save' | 'submit';

interface SavingDraftOptions {
  values: FormValues;
  /** The draft that the form changes; null: it makes one. */
  initialBase: Base | null;
  /** Where the page shows messages. */
  fields: ShownFields;
  sentKey?: string | undefined;
  /** Keeps the form with its key before it is sent, so that who goes on with it after a lost answer makes no second draft. */
  keeping?: Pick<Keeping, 'keep' | 'keepNow'>;
  /** Called when it is saved, before its page is shown. */
  done?: () => Promise<void>;
  /** Why the last submission was refused, before the form was shown. */
  initialRefusal?: Error | undefined;
  /** Called when it is saved and its submission is refused. */
  refused?: ((draft: Invoice, error: Error) => Promise<void>) | undefined;
}

interface SavingDraft {
  saving: Saving<Goal>;
  base: Base | null;
  setBase: Dispatch<SetStateAction<Base | null>>;
  sent: () => string | undefined;
  errors: FormErrors;
  /** What stands at no field. */
  failure: Error | null;
  /** True: the last submission was refused, and the draft is there. */
  isDraftLeft: boolean;
  /** The draft as another person has left it meanwhile. */
  theirs: Invoice | null;
}

/** Saves a form as a draft, or submits it besides, and shows its page. A submission that is refused goes on with the draft that was made. */
export function useSavingDraft(options: SavingDraftOptions): SavingDraft {
  const { values, initialBase, fields, sentKey, keeping, done, initialRefusal } = options;
  const navigate = useNavigate();
  const draft = useDraft({ sentKey, sending: async (sent, key) => keeping?.keepNow({ base: null, values: sent, key }) });
  const [base, setBase] = useState(initialBase);
  const [refusal, setRefusal] = useState(initialRefusal);
  const [errors, setErrors] = useState(() => errorsOf(initialRefusal, values));
  const { theirs, look } = useTheirs(base);
  const saving = useSaving({
    async run(goal: Goal, once: Once): Promise<Invoice> {
      setErrors(noErrors);
      setRefusal(undefined);
      const isStill = shown.still();
      let saved: Invoice | undefined;
      try {
        saved = await draft.save(values, base).catch((error: unknown) => {
          // What was refused is no draft: it is kept without the key.
          if (draft.sent() === undefined) keeping?.keep({ base, values });
          throw error;
        });
        setBase({ ...baseOf(saved), values });
        if (goal === 'save') return saved;
        if (!isStill()) throw new Cancelled();
        return await draft.submit(saved, once);
      } catch (error) {
        if (isConflict(error)) look();
        setErrors(errorsOf(error, values));
        if (saved && isStill()) {
          setRefusal(error as Error);
          await options.refused?.(saved, error as Error);
        }
        throw error;
      }
    },
    async done(invoice) {
      const isStill = shown.still();
      await done?.();
      if (isStill()) await navigate({ to: documentAddress('invoice', invoice.id) });
    },
  });
  const isAtFields = hasAny(errors) && hasFieldForAll(errors, fields);
  // A person who has refused what it needs is no error.
  const error = saving.error ?? (refusal instanceof Cancelled ? undefined : refusal);
  const failure = !error || isConflict(error) || isAtFields ? null : error;
  // What is being saved, or was, is a change of one's own.
  const isOwn = saving.isRunning || saving.isDone;
  return { saving, base, setBase, sent: draft.sent, errors, failure, isDraftLeft: refusal !== undefined, theirs: isOwn ? null : theirs };
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'version_conflict';
