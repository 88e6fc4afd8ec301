import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import { ChangeMember } from './change-member.tsx';
import { isAbove, type Member, nameOf } from './members.ts';
import { RemoveMember } from './remove-member.tsx';
import { ResetMember } from './reset-member.tsx';

/** What one may do with a member who is not above oneself. */
export function MemberActions({ member }: { member: Member }) {
  const me = useMe();
  const [action, setAction] = useState<'change' | 'reset' | 'remove'>();
  if (isAbove(member.role, me.member.role)) return null;
  const close = (): void => setAction(undefined);
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('members.actions', { name: nameOf(member) })}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAction('change')}>{t('members.change')}</Menu.Item>
          {member.joined_at && member.id !== me.member.id && <Menu.Item onClick={() => setAction('reset')}>{t('members.reset')}</Menu.Item>}
          <Menu.Item onClick={() => setAction('remove')}>{t('members.remove')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangeMember member={member} opened={action === 'change'} close={close} />
      <ResetMember member={member} opened={action === 'reset'} close={close} />
      <RemoveMember member={member} opened={action === 'remove'} close={close} />
    </>
  );
}
