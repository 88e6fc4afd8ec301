import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useState } from 'react';
import { general } from '../api/consoles.ts';
import { t } from '../texts/t.ts';
import { Actions } from '../ui/actions.tsx';
import { Failure } from '../ui/failure.tsx';
import { Once } from '../ui/once.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { useSaving } from '../ui/saving.ts';
import classes from './totp-setup.module.css';

/** Turns on two factors: a secret for the authenticator, a code of it, then the recovery codes, once each. */
export function TotpSetup({ done }: { done: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const begin = useSaving({
    run: (_: undefined, once) => answered(general.POST('/console/me/totp', { body: {}, headers: once })),
    done: (made) => setSecret(made),
  });
  const [secret, setSecret] = useState<{ secret: string; otpauth_url: string }>();
  if (codes) return <Codes codes={codes} done={done} />;
  if (secret) return <Confirm secret={secret} done={setCodes} />;
  return (
    <>
      {begin.error && <Failure error={begin.error} />}
      <Button autoFocus loading={begin.isRunning} onClick={() => begin.run(undefined)}>
        {t('totp.begin')}
      </Button>
    </>
  );
}

function Confirm({ secret, done }: { secret: { secret: string; otpauth_url: string }; done: (codes: string[]) => void }) {
  const form = useForm({ initialValues: { code: '' } });
  const saving = useSaving({
    run: (body: { code: string }) => answered(general.POST('/console/me/totp/confirm', { body })),
    done: (answer) => done(answer.recovery_codes),
    form: { setErrors: form.setErrors, fields: ['code'] },
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <p className={classes['text']}>{t('totp.scan')}</p>
      <QrCode text={secret.otpauth_url} label={t('totp.qr')} />
      <p className={classes['text']}>
        {t('totp.byHand')} <code>{secret.secret}</code>
      </p>
      <TextInput required autoFocus label={t('code.label')} autoComplete="one-time-code" {...form.getInputProps('code')} />
      <Actions>
        <Button type="submit" loading={saving.isRunning}>
          {t('totp.confirm')}
        </Button>
      </Actions>
    </form>
  );
}

const Codes = ({ codes, done }: { codes: string[]; done: () => void }) => (
  <>
    <p className={classes['text']}>{t('totp.codesAbout')}</p>
    <Once label={t('totp.codes')} value={codes.join(' ')} />
    <Actions>
      <Button onClick={done}>{t('totp.kept')}</Button>
    </Actions>
  </>
);
