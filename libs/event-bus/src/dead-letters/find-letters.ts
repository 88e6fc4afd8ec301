import type { Filter } from '@svc/document-store';
import type { DeadLetter, DeadLetterReason } from '../dead-letter.ts';
import type { LetterBook } from './letter-book.ts';

/** Selects letters of a group; an absent field does not restrict. */
export interface Which {
  type?: string | undefined;
  subject?: string | undefined;
  reason?: DeadLetterReason | undefined;
  id?: string | undefined;
}

export function filterOf({ type, subject, reason, id }: Which): Filter {
  return {
    ...(type !== undefined && { event_type: type }),
    ...(subject !== undefined && { event_subject: subject }),
    ...(reason !== undefined && { reason }),
    ...(id !== undefined && { _id: id }),
  };
}

/** A letter in operators' lists, without its event, which may be large and personal: `GET …/{id}` has it. */
export type LetterSummary = ReturnType<typeof summaryOf>;

const summaryOf = ({ _id, group, topic, event_type, event_subject, reason, error, origin, at, order }: DeadLetter) => ({
  ...{ id: _id, group, topic, type: event_type, subject: event_subject, sequence: order },
  ...{ reason, error, origin, at },
});

/** A page of the letters of one or all groups: by group, then id, starting behind the letter `after`. */
export async function pageOfLetters(
  book: LetterBook,
  { group: only, after, limit, ...which }: Which & { group?: string | undefined; after?: string | undefined; limit: number },
): Promise<{ data: LetterSummary[]; next: string | null }> {
  const groups = book.groups().filter((group) => only === undefined || group === only);
  const last = groups.findLast((group) => after?.startsWith(`${group}:`));
  const data: LetterSummary[] = [];
  for (const group of last === undefined ? groups : groups.slice(groups.indexOf(last))) {
    const filter = { ...filterOf(which), ...(group === last && which.id === undefined && { _id: { $gt: String(after) } }) };
    // One more than requested shows whether there is another page.
    for await (const letter of book.of(group).find(filter, { sort: { _id: 1 }, limit: limit + 1 - data.length }))
      data.push(summaryOf(letter));
    if (data.length > limit) break;
  }
  return { data: data.slice(0, limit), next: data.length > limit ? (data[limit - 1]?.id ?? null) : null };
}

/** The group that has the letter; undefined where no group of this process has it. */
export const letterOf = async (book: LetterBook, id: string): Promise<DeadLetter | undefined> => {
  const group = book.groups().findLast((name) => id.startsWith(`${name}:`));
  return group === undefined ? undefined : book.of(group).get(id);
};
