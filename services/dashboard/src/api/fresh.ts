import { shown } from './shown.ts';

/** What an answer has carried, such as a secret, on its way to the page that shows it: kept for that page alone, and for whom it was made. */
export function createFresh<Value = string>() {
  let fresh: { id: string; value: Value } | undefined;
  shown.whenChanged(() => void (fresh = undefined));
  return {
    put: (id: string, value: Value | undefined): void => void (fresh = value === undefined ? undefined : { id, value }),
    /** The first time that it is asked for, by whatever page. */
    take(id: string): Value | undefined {
      const value = fresh?.id === id ? fresh.value : undefined;
      fresh = undefined;
      return value;
    },
  };
}
