import { plusDays, type Day } from '@svc/kernel';
import { badQuery } from './bad-query.ts';

/** Days of a report, inclusive; what is dated after `as_of` does not count. */
export interface Period {
  from: Day;
  to: Day;
  as_of: Day;
}

/** Left out: from the first to the last day of the month that `today` is in, as of today. Throws `invalid_request`. */
export function periodOf(given: Partial<Period>, today: Day): Period {
  const first = `${today.slice(0, 7)}-01`;
  const inNextMonth = plusDays(first, 31);
  const { from = first, to = plusDays(`${inNextMonth.slice(0, 7)}-01`, -1), as_of = today } = given;
  if (from > to) throw badQuery('from', `${from} is after to, ${to}. Send both, the earlier day as from.`);
  return { from, to, as_of };
}
