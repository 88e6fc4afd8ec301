import { TextInput } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { named, t } from '../../texts/t.ts';
import type { ListSearch } from '../../ui/list-search.ts';
import { Suggest } from '../../ui/suggest.tsx';
import classes from './deliveries.module.css';
import { ResourceLink } from './resource-link.tsx';

/** Below so many characters nothing is searched for. */
const LEAST = 2;

/** Only what is about one document or customer, which is found by its number or name. */
export function ResourceFilter({ search }: { search: Pick<ListSearch<'resource_id'>, 'filters' | 'filter'> }) {
  const { console, env } = useConsole();
  const [text, setText] = useState('');
  const source = useMemo(
    () => ({
      key: [env, 'search', 'of events'],
      async read(q: string, signal: AbortSignal): Promise<readonly Resource<'FoundRow'>[]> {
        if (q.length < LEAST) return [];
        const { data } = await answered(console.GET('/console/search', { params: { query: { q } }, signal }));
        return data.filter(({ kind }) => kind !== 'product');
      },
    }),
    [console, env],
  );
  const { resource_id: id } = search.filters;
  if (id !== undefined)
    return (
      <p className={classes['only']}>
        {t('deliveries.only')} <ResourceLink id={id} />
      </p>
    );
  return (
    <Suggest
      label={t('deliveries.find')}
      value={text}
      onChange={setText}
      choose={({ id: resource_id }) => {
        setText('');
        search.filter({ resource_id });
      }}
      source={source}
      optionOf={({ kind, ...row }) => ({ ...row, about: named('kind', kind) })}
      opens="typed"
      input={(props) => <TextInput {...props} size="sm" aria-label={t('deliveries.find')} placeholder={t('deliveries.find')} />}
    />
  );
}
