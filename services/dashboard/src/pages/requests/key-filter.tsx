import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { general } from '../../api/consoles.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { ChoiceFilter, withChosen } from '../../ui/filters.tsx';
import type { ListSearch } from '../../ui/list-search.ts';
import type { Row } from './requests.ts';

const MOST = 100;

interface KeyFilterProps {
  search: ListSearch<'key_id'>;
  /** Those that are shown, which name the key that is chosen. */
  rows: readonly Row[] | undefined;
}

/** Only what a key of the environment has asked. */
export function KeyFilter({ search, rows }: KeyFilterProps) {
  const env = useEnvironment();
  const canRead = useCan()('api_keys:read');
  const { data } = useQuery({
    queryKey: ['api-keys', 'list', 'names'],
    queryFn: ({ signal }) => answered(general.GET('/console/api-keys', { params: { query: { per_page: MOST } }, signal })),
    enabled: canRead,
  });
  const keys = (data?.data ?? [])
    .filter(({ livemode }) => livemode === (env === 'live'))
    .map(({ id, name }) => ({ value: id, label: name }));
  const chosen = search.filters.key_id;
  const name = rows?.find(({ key_id: id }) => id === chosen)?.actor?.name;
  const options = withChosen(keys, chosen, name);
  return options.length === 0 ? null : <ChoiceFilter search={search} name="key_id" label={t('requests.anyKey')} options={options} />;
}
