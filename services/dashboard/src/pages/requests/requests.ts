import type { Resource } from '../../api/types.ts';
import { named } from '../../texts/t.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Row = Resource<'RequestWithActor'>;

export const requestsAddress = '/app/settings/requests';
export const requestAddress = (id: string): string => `${requestsAddress}/${id}`;

/** The rows of a list, each with who asked. */
export const rowsOf = <List extends Resource<'RequestsWithActors'>>({ actors, ...list }: List) => ({
  ...list,
  data: list.data.map((row): Row => {
    const actor = actors.find(({ id }) => id === (row.key_id ?? row.member_id));
    return { ...row, ...(actor && { actor }) };
  }),
});

/** Who asked, by name. */
export const actorOf = ({ actor }: Row): string => (actor ? (actor.name ?? named('actor', actor.type)) : '—');

/** A defect of the service is worse than a mistake of the caller. */
export const toneOf = ({ status = 0 }: Row): Tone => (status >= 500 ? 'bad' : 'warn');

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Statuses that a failure has. */
export const statuses = ['400', '401', '403', '404', '405', '409', '412', '413', '415', '422', '429', '500', '503'] as const;
