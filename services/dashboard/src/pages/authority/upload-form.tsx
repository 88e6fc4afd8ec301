import { NativeSelect, PasswordInput } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { base64Of, type Credentials, isValid, showCredentials } from './credentials.ts';
import classes from './upload.module.css';

/** Takes a certificate with its key and the passphrase. It follows the one that there is when that ends, or takes over at once. */
export function UploadForm({ before }: { before: Credentials | null }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const canWrite = useCan()('settings:write');
  const id = useId();
  const [file, setFile] = useState<File>();
  const [passphrase, setPassphrase] = useState('');
  const canFollow = before !== null && isValid(before);
  const [follows, setFollows] = useState(true);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const saving = useSaving({
    async run(_: undefined) {
      setErrors({});
      const body = { certificate: file ? await base64Of(file) : '', passphrase, ...(canFollow && follows && { successor: true }) };
      return answered(console.PUT('/console/v1/fiscal-credentials', { body }));
    },
    done(now) {
      // Nothing of the secret stays on the page.
      setPassphrase('');
      setFile(undefined);
      showCredentials(queries, env, now);
    },
    form: { setErrors, fields: ['certificate', 'passphrase', 'successor'] },
  });
  return (
    <FormPanel
      title={t(before ? 'authority.next' : 'authority.upload')}
      about={before ? `${t('authority.nextAbout')} ${t('authority.uploadAbout')}` : t('authority.uploadAbout')}
      button={t('authority.uploadButton')}
      saving={saving}
      canWrite={canWrite}
      onSubmit={(event) => {
        event.preventDefault();
        saving.run(undefined);
      }}
    >
      <div>
        <label htmlFor={id} className={classes['label']}>
          {t('authority.file')}
        </label>
        <input
          // A new one after it was sent: the field of a file cannot be emptied.
          key={saving.isDone ? 'sent' : 'new'}
          id={id}
          type="file"
          accept=".p12,.pfx,application/x-pkcs12"
          className={classes['file']}
          aria-invalid={errors['certificate'] ? true : undefined}
          aria-describedby={errors['certificate'] ? `${id}-error` : undefined}
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
        {errors['certificate'] && (
          <p id={`${id}-error`} className={classes['message']}>
            {errors['certificate']}
          </p>
        )}
      </div>
      <PasswordInput
        maw={420}
        label={t('authority.passphrase')}
        autoComplete="off"
        value={passphrase}
        error={errors['passphrase']}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
      {canFollow && (
        <NativeSelect
          maw={420}
          label={t('authority.when')}
          data={[
            { value: 'ends', label: t('authority.whenEnds') },
            { value: 'now', label: t('authority.whenNow') },
          ]}
          value={follows ? 'ends' : 'now'}
          error={errors['successor']}
          onChange={(event) => setFollows(event.currentTarget.value === 'ends')}
        />
      )}
    </FormPanel>
  );
}
