import { Button, Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Member, membersKey, nameOf } from './members.ts';

interface RemoveMemberProps {
  member: Member;
  opened: boolean;
  close: () => void;
}

/** Removes a member, then names the live keys that the member made: they go on, and are better rotated. */
export function RemoveMember({ member, opened, close }: RemoveMemberProps) {
  const queries = useQueryClient();
  const [keys, setKeys] = useState<Resource<'NamedKey'>[]>([]);
  const end = async (): Promise<void> => {
    close();
    await queries.invalidateQueries({ queryKey: membersKey });
  };
  const saving = useSaving({
    run: (_: undefined) => answered(general.DELETE('/console/members/{id}', { params: { path: { id: member.id } } })),
    done: (removed) => (removed.keys.length > 0 ? setKeys(removed.keys) : end()),
  });
  if (keys.length === 0)
    return (
      <Confirm opened={opened} close={close} title={t('members.removeTitle')} button={t('members.remove')} saving={saving} isDangerous>
        <p>{t('members.removeAbout', { name: nameOf(member) })}</p>
      </Confirm>
    );
  return (
    <Modal opened={opened} onClose={() => void end()} title={t('members.removed')}>
      <Notice tone="warn">{t('members.keysGoOn')}</Notice>
      <ul>
        {keys.map(({ id, name }) => (
          <li key={id}>
            <Link to={`/app/settings/api-keys/${id}`}>{name}</Link>
          </li>
        ))}
      </ul>
      <Actions>
        <Button onClick={() => void end()}>{t('action.done')}</Button>
      </Actions>
    </Modal>
  );
}
