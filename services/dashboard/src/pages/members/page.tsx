import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { Page } from '../../shell/page.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Time } from '../../ui/time.tsx';
import { Invite } from './invite.tsx';
import { MemberActions } from './member-actions.tsx';
import { type Member, membersKey, nameOf } from './members.ts';

const columns: readonly Column<Member>[] = [
  { id: 'name', header: t('members.one'), cell: (member) => nameOf(member) },
  { id: 'email', header: t('email.label'), cell: ({ email }) => email },
  { id: 'role', header: t('members.role'), cell: ({ role }) => named('role', role) },
  { id: 'state', header: t('members.state'), cell: (member) => <State member={member} /> },
  { id: 'actions', header: '', align: 'end', width: 60, cell: (member) => <MemberActions member={member} /> },
];

function State({ member: { disabled, joined_at: joined } }: { member: Resource<'Member'> }) {
  if (disabled) return <Badge tone="bad">{t('members.disabled')}</Badge>;
  if (joined === null) return <Badge tone="warn">{t('members.invited')}</Badge>;
  return (
    <span>
      {t('members.since')} <Time at={joined} />
    </span>
  );
}

/** Who works in this account, and as what. */
export default function MembersPage() {
  const search = useListSearch([]);
  const [isInviting, setInviting] = useState(false);
  const reading = useQuery({
    queryKey: [...membersKey, search.page],
    queryFn: ({ signal }) => answered(general.GET('/console/members', { params: { query: { page: search.page } }, signal })),
    placeholderData: keepPreviousData,
  });
  const button = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
      {t('members.invite')}
    </Button>
  );
  return (
    <Page title={t('nav.members')} about={t('members.about')} actions={button}>
      <ListPanel
        label={t('nav.members')}
        columns={columns}
        idOf={({ id }) => id}
        reading={reading}
        search={search}
        isFiltered={false}
        none={null}
      />
      <Invite opened={isInviting} close={() => setInviting(false)} />
    </Page>
  );
}
