import { plusDays, type Day } from '@svc/kernel';
import { badQuery } from './bad-query.ts';

/** Days of a report, inclusive; documents after `as_of` do not count. */
export interface Period {
  from: Day;
  to: Day;
  as_of: Day;
}

/** Completes a period; by default the current month as of `today`. Throws `invalid_request` when it ends before it begins. */
export function periodOf(given: Partial<Period>, today: Day): Period {
  const first = `${today.slice(0, 7)}-01`;
  const inNextMonth = plusDays(first, 31);
  const { from = first, to = plusDays(`${inNextMonth.slice(0, 7)}-01`, -1), as_of = today } = given;
  if (from > to) throw badQuery('from', `${from} is after to, ${to}. Send both, the earlier day as from.`);
  return { from, to, as_of };
}
