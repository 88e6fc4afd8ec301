import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import type { Intent } from '../../api/intent.ts';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useIntent, useSaving } from '../../ui/saving.ts';
import { LinkOnce } from './link-once.tsx';
import { membersKey, type Role, useRoles } from './members.ts';

/** A form for a new member, then the link that one hands over. */
export function Invite({ opened, close }: { opened: boolean; close: () => void }) {
  const intent = useIntent();
  return (
    <Modal opened={opened} onClose={close} title={t('members.inviteTitle')}>
      {opened && <Steps close={close} intent={intent} />}
    </Modal>
  );
}

function Steps({ close, intent }: { close: () => void; intent: Intent }) {
  const [invited, setInvited] = useState<Resource<'InvitedMember'>>();
  if (invited) return <LinkOnce about={t('members.linkAbout', { email: invited.email })} url={invited.invitation_url} close={close} />;
  return <InviteForm done={setInvited} cancel={close} intent={intent} />;
}

interface InviteFormProps {
  done: (invited: Resource<'InvitedMember'>) => void;
  cancel: () => void;
  intent: Intent;
}

function InviteForm({ done, cancel, intent }: InviteFormProps) {
  const queries = useQueryClient();
  const options = useRoles();
  const form = useForm({ initialValues: { email: '', name: '', role: 'accountant' as Role } });
  const saving = useSaving({
    run: ({ name, ...body }: { email: string; name: string; role: Role }, once) =>
      answered(general.POST('/console/members', { body: { ...body, ...(name.trim() && { name }) }, headers: once })),
    async done(invited) {
      done(invited);
      await queries.invalidateQueries({ queryKey: membersKey });
    },
    intent,
    form: { setErrors: form.setErrors, fields: ['email', 'name', 'role'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput data-autofocus required type="email" label={t('email.label')} autoComplete="off" {...form.getInputProps('email')} />
        <TextInput label={t('name.label')} autoComplete="off" {...form.getInputProps('name')} />
        <NativeSelect label={t('members.role')} data={options} {...form.getInputProps('role')} />
      </Fields>
      <FormButtons cancel={cancel} saving={saving} button={t('members.inviteButton')} />
    </form>
  );
}
