import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { type Console, useConsole } from '../api/consoles.ts';
import type { Once } from '../api/intent.ts';
import type { Resource } from '../api/types.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Fields } from '../ui/fields.tsx';
import { useSaving } from '../ui/saving.ts';
import { documentKey, type Kind } from './documents.ts';

interface ResolveDocumentProps {
  kind: Kind;
  id: string;
  opened: boolean;
  close: () => void;
}

/** The document follows the decision within so long. */
const FOLLOWS_MS = 1_000;
const outcomes = ['registered', 'not_registered'] as const;

const resolve = (console: Console, { kind, id }: { kind: Kind; id: string }, body: Resource<'ResolveDocument'>, headers: Once) => {
  const options = { params: { path: { id } }, body, headers };
  return answered(
    kind === 'invoice'
      ? console.POST('/console/v1/invoices/{id}/resolve', options)
      : console.POST('/console/v1/receipts/{id}/resolve', options),
  );
};

/** Says what the authority has, where the service cannot find out. */
export function ResolveDocument({ kind, id, opened, close }: ResolveDocumentProps) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { outcome: 'registered' as (typeof outcomes)[number], code: '', note: '' } });
  const { outcome } = form.values;
  const saving = useSaving({
    run(_: undefined, once) {
      const { code, note } = form.values;
      const given = outcome === 'registered' && code !== '' && { code: code.trim() };
      return resolve(console, { kind, id }, { outcome, note, ...given }, once);
    },
    async done() {
      await new Promise((follow) => setTimeout(follow, FOLLOWS_MS));
      close();
      await queries.invalidateQueries({ queryKey: documentKey(env, kind, id) });
    },
    form: { setErrors: form.setErrors, fields: ['outcome', 'code', 'note'] },
  });
  return (
    <Confirm opened={opened} close={close} title={t('resolve.title')} button={t('resolve.button')} saving={saving}>
      <Fields>
        <p>{t('resolve.about')}</p>
        <NativeSelect
          label={t('resolve.outcome')}
          data={outcomes.map((value) => ({ value, label: t(`resolve.${value}`) }))}
          {...form.getInputProps('outcome')}
        />
        {outcome === 'registered' && <TextInput label={t('fiscal.code')} autoComplete="off" {...form.getInputProps('code')} />}
        <Textarea rows={2} required label={t('resolve.note')} description={t('resolve.noteAbout')} {...form.getInputProps('note')} />
      </Fields>
    </Confirm>
  );
}
