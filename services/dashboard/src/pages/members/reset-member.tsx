import { Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { general } from '../../api/consoles.ts';
import { useState } from 'react';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { LinkOnce } from './link-once.tsx';
import { type Member, nameOf } from './members.ts';

/** A link by which a member sets a new password, within 15 minutes. */
export function ResetMember({ member, opened, close }: { member: Member; opened: boolean; close: () => void }) {
  const [url, setUrl] = useState<string>();
  const saving = useSaving({
    run: (_: undefined, once) =>
      answered(general.POST('/console/members/{id}/reset', { params: { path: { id: member.id } }, body: {}, headers: once })),
    done: ({ reset_url: made }) => setUrl(made),
  });
  const end = (): void => {
    setUrl(undefined);
    close();
  };
  if (url === undefined)
    return (
      <Confirm opened={opened} close={close} title={t('members.resetTitle')} button={t('members.resetButton')} saving={saving}>
        <p>{t('members.resetAbout', { name: nameOf(member) })}</p>
      </Confirm>
    );
  return (
    <Modal opened={opened} onClose={end} title={t('members.resetTitle')}>
      <LinkOnce about={t('members.resetLinkAbout', { name: nameOf(member) })} url={url} close={end} />
    </Modal>
  );
}
