import { Modal, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { general } from '../../api/consoles.ts';
import { useIssuer } from '../../documents/issuer.ts';
import { t } from '../../texts/t.ts';
import { changedFields } from '../../ui/change.ts';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useSaving } from '../../ui/saving.ts';
import { type Member, membersKey, nameOf, type Role, useRoles } from './members.ts';

interface ChangeMemberProps {
  member: Member;
  opened: boolean;
  close: () => void;
}

export const ChangeMember = ({ member, opened, close }: ChangeMemberProps) => (
  <Modal opened={opened} onClose={close} title={nameOf(member)}>
    <ChangeForm member={member} close={close} />
  </Modal>
);

interface Values {
  role: Role;
  operator: string;
  disabled: boolean;
}

function ChangeForm({ member, close }: Omit<ChangeMemberProps, 'opened'>) {
  const queries = useQueryClient();
  const options = useRoles();
  const { issuer } = useIssuer();
  const operators = useId();
  const form = useForm<Values>({
    initialValues: { role: member.role as Role, operator: member.operator ?? '', disabled: member.disabled },
  });
  const saving = useSaving({
    run(values: Values) {
      const { operator, ...body } = changedFields(form.getInitialValues(), values);
      const changes = { ...body, ...(operator !== undefined && { operator: operator.trim() || null }) };
      return answered(general.PATCH('/console/members/{id}', { params: { path: { id: member.id } }, body: changes }));
    },
    async done() {
      close();
      await queries.invalidateQueries({ queryKey: membersKey });
    },
    form: { setErrors: form.setErrors, fields: ['role', 'operator', 'disabled'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <NativeSelect data-autofocus label={t('members.role')} data={options} {...form.getInputProps('role')} />
        <TextInput
          label={t('members.operator')}
          description={t('members.operatorAbout')}
          list={operators}
          {...form.getInputProps('operator')}
        />
        <datalist id={operators}>
          {issuer?.operators.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </datalist>
        <Switch
          label={t('members.keepOut')}
          description={t('members.keepOutAbout')}
          {...form.getInputProps('disabled', { type: 'checkbox' })}
        />
      </Fields>
      <FormButtons cancel={close} saving={saving} button={t('action.save')} />
    </form>
  );
}
