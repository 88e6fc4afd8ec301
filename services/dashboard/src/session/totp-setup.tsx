import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { create } from 'qrcode';
import { useMemo, useState } from 'react';
import { general } from '../api/consoles.ts';
import { t } from '../texts/t.ts';
import { Actions } from '../ui/actions.tsx';
import { Failure } from '../ui/failure.tsx';
import { Once } from '../ui/once.tsx';
import { useSaving } from '../ui/saving.ts';
import classes from './totp-setup.module.css';

/** Turns on two factors: a secret for the authenticator, a code of it, then the recovery codes, once each. */
export function TotpSetup({ done }: { done: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const begin = useSaving({
    run: (_: undefined) => answered(general.POST('/console/me/totp', { body: {} })),
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
      <QrCode text={secret.otpauth_url} />
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

/** Dark on light whatever the look is: many readers take no other. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const cells = Array.from(modules.data, (dark, n) => (dark ? `M${n % modules.size} ${Math.floor(n / modules.size)}h1v1h-1z` : ''));
    return { size: modules.size, path: cells.join('') };
  }, [text]);
  return (
    <svg
      className={classes['code']}
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      role="img"
      aria-label={t('totp.qr')}
      shapeRendering="crispEdges"
    >
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
