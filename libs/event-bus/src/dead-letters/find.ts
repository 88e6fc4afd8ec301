import type { Filter } from '@svc/document-store';
import type { DeadLetter, DeadLetterReason } from '../dead-letter.ts';
import type { DeadLetterQueues } from './queues.ts';

/** Selects dead letters of a group; an absent field does not restrict. */
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

/** A dead letter in operators' lists, without its event, which may be large and personal: `GET …/{id}` has it. */
export type DeadLetterSummary = ReturnType<typeof summaryOf>;

const summaryOf = ({ _id, group, topic, event_type, event_subject, reason, error, origin, at, order }: DeadLetter) => ({
  ...{ id: _id, group, topic, type: event_type, subject: event_subject, sequence: order },
  ...{ reason, error, origin, at },
});

/** A page of the dead letters of one or all groups: by group, then id, starting behind the dead letter `after`. */
export async function pageOfDeadLetters(
  queues: DeadLetterQueues,
  { group: only, after, limit, ...which }: Which & { group?: string | undefined; after?: string | undefined; limit: number },
): Promise<{ data: DeadLetterSummary[]; next: string | null }> {
  const groups = queues.groups().filter((group) => only === undefined || group === only);
  const last = groups.findLast((group) => after?.startsWith(`${group}:`));
  const data: DeadLetterSummary[] = [];
  for (const group of last === undefined ? groups : groups.slice(groups.indexOf(last))) {
    const filter = { ...filterOf(which), ...(group === last && which.id === undefined && { _id: { $gt: String(after) } }) };
    // One more than requested shows whether there is another page.
    for await (const deadLetter of queues.of(group).find(filter, { sort: { _id: 1 }, limit: limit + 1 - data.length }))
      data.push(summaryOf(deadLetter));
    if (data.length > limit) break;
  }
  return { data: data.slice(0, limit), next: data.length > limit ? (data[limit - 1]?.id ?? null) : null };
}

/** The group that has the dead letter; undefined where no group of this process has it. */
export const deadLetterOf = async (queues: DeadLetterQueues, id: string): Promise<DeadLetter | undefined> => {
  const group = queues.groups().findLast((name) => id.startsWith(`${name}:`));
  return group === undefined ? undefined : queues.of(group).get(id);
};
