import { ApiError } from '@svc/client/console';
import { useMutation } from '@tanstack/react-query';
import { Cancelled } from '../api/prompts.ts';

/** What is done by a button or a form. `error`: what stands at no field. A person who refuses what it needs is no error. */
export interface Saving<Values> {
  run(values: Values): void;
  isRunning: boolean;
  /** True after it was done, until it is done again. */
  isDone: boolean;
  error: Error | null;
}

interface SavingOptions<Values, Result> {
  run: (values: Values) => Promise<Result>;
  done?: (result: Result, values: Values) => unknown;
  /** Gets the messages of its fields. A message of a field that it has not is shown as a whole. */
  form?: { setErrors: (errors: Record<string, string>) => void; fields: readonly string[] };
}

export function useSaving<Values, Result>({ run, done, form }: SavingOptions<Values, Result>): Saving<Values> {
  const mutation = useMutation<Result, Error, Values>({
    mutationFn: run,
    onSuccess: (result, values) => done?.(result, values),
    onError: (error) => form?.setErrors(ofFields(error, form.fields)),
  });
  const { error } = mutation;
  const isAtFields =
    error instanceof ApiError && Object.keys(ofFields(error, form?.fields ?? [])).length === Object.keys(error.details).length;
  const isShown = error !== null && !(error instanceof Cancelled) && !(isAtFields && Object.keys(error.details).length > 0);
  return {
    run: (values) => mutation.mutate(values),
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
          return field === undefined ? [] : [[field, messages.join(' ')]];
        }),
      )
    : {};
