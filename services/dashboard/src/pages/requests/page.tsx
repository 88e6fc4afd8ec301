import { useSearch } from '@tanstack/react-router';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { FindRequest } from './find-request.tsx';
import { Groups } from './groups.tsx';
import { RequestList } from './request-list.tsx';

/** Requests that were refused or failed: each, or how many by what was wrong. */
export default function RequestsPage() {
  const { view = '' } = useSearch({ strict: false }) as { view?: string };
  const tabs = [
    { value: '', label: t('requests.each') },
    { value: 'groups', label: t('requests.groups') },
  ];
  return (
    <Page title={t('nav.requests')} about={t('requests.about')} actions={<FindRequest />}>
      <Tabs name="view" label={t('nav.requests')} tabs={tabs} value={view} />
      {view === 'groups' ? <Groups /> : <RequestList />}
    </Page>
  );
}
