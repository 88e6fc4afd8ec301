import { shown } from './shown.ts';

/** A secret that an answer has carried, on its way to the page that shows it: kept for that page alone, and for whom it was made. */
export function createFresh() {
  let fresh: { id: string; value: string } | undefined;
  shown.whenChanged(() => void (fresh = undefined));
  return {
    put: (id: string, value: string | undefined): void => void (fresh = value === undefined ? undefined : { id, value }),
    /** The first time that it is asked for, by whatever page. */
    take(id: string): string | undefined {
      const value = fresh?.id === id ? fresh.value : undefined;
      fresh = undefined;
      return value;
    },
  };
}
