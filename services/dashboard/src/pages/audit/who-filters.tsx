import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { ChoiceFilter, withChosen } from '../../ui/filters.tsx';
import type { ListSearch } from '../../ui/list-search.ts';

const MOST = 100;

interface WhoFiltersProps {
  search: ListSearch<'actor' | 'target'>;
  /** Those that are shown, which name who and what is chosen. */
  rows: readonly Resource<'AuditEntry'>[] | undefined;
}

/** Only what one member or key did, and only what was done to one of what is changed, once its name was pressed in a row. */
export function WhoFilters({ search, rows }: WhoFiltersProps) {
  const query = { per_page: MOST };
  const { data: members } = useQuery({
    queryKey: ['members', 'names'],
    queryFn: ({ signal }) => answered(general.GET('/console/members', { params: { query }, signal })),
  });
  const { data: keys } = useQuery({
    queryKey: ['api-keys', 'list', 'names'],
    queryFn: ({ signal }) => answered(general.GET('/console/api-keys', { params: { query }, signal })),
  });
  const { actor, target } = search.filters;
  const known = [
    ...(members?.data.map(({ id, name, email }) => ({ value: id, label: name ?? email })) ?? []),
    ...(keys?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []),
  ];
  const actors = withChosen(known, actor, rows?.find((row) => row.actor.id === actor)?.actor.name);
  const targets = withChosen([], target, rows?.find((row) => row.target.id === target)?.target.name);
  return (
    <>
      <ChoiceFilter search={search} name="actor" label={t('audit.anyActor')} options={actors} />
      {targets.length > 0 && <ChoiceFilter search={search} name="target" label={t('audit.anyTarget')} options={targets} />}
    </>
  );
}
