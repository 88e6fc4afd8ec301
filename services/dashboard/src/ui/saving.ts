import { ApiError } from '@svc/client/console';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { createIntent, type Intent, type Once } from '../api/intent.ts';
import { Cancelled } from '../api/prompts.ts';
import { shown } from '../api/shown.ts';
import { forPeople } from '../texts/for-people.ts';
import { Crossed } from './change.ts';

/** What is done by a button or a form. `error`: what stands at no field. A person who refuses what it needs is no error. */
export interface Saving<Values> {
  run(values: Values): void;
  isRunning: boolean;
  /** True after it was done, until it is done again. */
  isDone: boolean;
  error: Error | null;
}

interface SavingOptions<Values, Result> {
  /** A POST is sent with `headers: once`, so that it is done once however often it is sent. */
  run: (values: Values, once: Once) => Promise<Result>;
  /** What the page shows then. Not called once the page shows another member, for whom nothing was done. */
  done?: (result: Result, values: Values) => unknown;
  /** Of what holds the form, where it outlives it: a dialog that is closed after a lost answer and opened again sends the same. */
  intent?: Intent | undefined;
  form?: {
    /** Gets the messages of its fields. A message of a field that it has not is shown as a whole. */
    setErrors: (errors: Record<string, string>) => void;
    fields: readonly string[];
    /** Gets what a form shows next where another person has changed it since it was opened. */
    setValues?: (merged: never) => void;
  };
}

/** What is sent by forms below this component: its key outlives their dialogs. */
export const useIntent = (): Intent => useState(() => createIntent())[0];

export function useSaving<Values, Result>({ run, done, intent, form }: SavingOptions<Values, Result>): Saving<Values> {
  const own = useIntent();
  const mutation = useMutation<Result, Error, Values, () => boolean>({
    onMutate: () => shown.still(),
    mutationFn: (values) => (intent ?? own).carryOut((once) => run(values, once)),
    onSuccess: (result, values, isStill) => (isStill() ? done?.(result, values) : undefined),
    onError(error) {
      form?.setErrors(ofFields(error, form.fields));
      if (error instanceof Crossed) form?.setValues?.(error.merged as never);
    },
  });
  const { error, mutate } = mutation;
  const start = useCallback((values: Values) => mutate(values), [mutate]);
  const isAtFields =
    error instanceof ApiError && Object.keys(ofFields(error, form?.fields ?? [])).length === Object.keys(error.details).length;
  const isShown = error !== null && !(error instanceof Cancelled) && !(isAtFields && Object.keys(error.details).length > 0);
  return {
    run: start,
    isRunning: mutation.isPending,
    isDone: mutation.isSuccess,
    error: isShown ? error : null,
  };
}

/** `items.0.quantity` is a field of `items` where that is the form's. */
const ofFields = (error: Error, fields: readonly string[]): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(
        Object.entries(error.details).flatMap(([name, messages]) => {
          const field = fields.find((one) => name === one || name.startsWith(`${one}.`));
          return field === undefined ? [] : [[field, forPeople(messages.join(' '))]];
        }),
      )
    : {};
