import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered, ApiError } from '@svc/client/console';
import { useState } from 'react';
import { general } from '../api/consoles.ts';
import type { Resource } from '../api/types.ts';
import { t } from '../texts/t.ts';
import { Actions } from '../ui/actions.tsx';
import { Failure } from '../ui/failure.tsx';
import { Fields } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSaving } from '../ui/saving.ts';
import { StepTitle } from './frame.tsx';

interface SpendLinkProps {
  token: string;
  next: (answer: Resource<'Session'>) => Promise<void>;
  giveUp: () => void;
}

/** A link alone, and where it signs nobody in, with the e-mail and password of who has them: an invitation to a further account. */
export function SpendLink({ token, next, giveUp }: SpendLinkProps) {
  const [isRefused, setRefused] = useState(false);
  const alone = useSaving({
    run: async () => {
      try {
        return await answered(general.POST('/console/session', { body: { token } }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') throw error;
        setRefused(true);
        return undefined;
      }
    },
    done: (answer) => answer && next(answer),
  });
  if (isRefused) return <WithPassword token={token} next={next} giveUp={giveUp} />;
  return (
    <>
      <StepTitle title={t('link.title')}>{t('link.about')}</StepTitle>
      {alone.error && <Failure error={alone.error} />}
      <Button autoFocus size="md" fullWidth loading={alone.isRunning} onClick={() => alone.run(undefined)}>
        {t('action.continue')}
      </Button>
    </>
  );
}

function WithPassword({ token, next, giveUp }: SpendLinkProps) {
  const form = useForm({ initialValues: { email: '', password: '', code: '' } });
  const saving = useSaving({
    run: ({ code, ...rest }: { email: string; password: string; code: string }) =>
      answered(general.POST('/console/session', { body: { token, ...rest, ...(code && { code }) } })),
    done: next,
    form: { setErrors: form.setErrors, fields: ['email', 'password', 'code'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      <StepTitle title={t('link.refused')} />
      <Notice tone="info">{t('link.refusedAbout')}</Notice>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput required autoFocus type="email" label={t('email.label')} autoComplete="username" {...form.getInputProps('email')} />
        <PasswordInput required label={t('password.label')} autoComplete="current-password" {...form.getInputProps('password')} />
        <TextInput label={t('code.optional')} autoComplete="one-time-code" {...form.getInputProps('code')} />
      </Fields>
      <Actions>
        <Button variant="default" onClick={giveUp}>
          {t('link.without')}
        </Button>
        <Button type="submit" loading={saving.isRunning}>
          {t('link.join')}
        </Button>
      </Actions>
    </form>
  );
}
