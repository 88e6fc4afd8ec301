import { PasswordInput } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { setupQuery } from '../../session/setup.ts';
import { t } from '../../texts/t.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { base64Of, credentialsKey } from './credentials.ts';
import classes from './upload.module.css';

/** Takes a certificate with its key and the passphrase. It replaces the one before for what is submitted from then on. */
export function UploadForm({ isFirst }: { isFirst: boolean }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const canWrite = useCan()('settings:write');
  const id = useId();
  const [file, setFile] = useState<File>();
  const [passphrase, setPassphrase] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const saving = useSaving({
    async run(_: undefined) {
      setErrors({});
      const body = { certificate: file ? await base64Of(file) : '', passphrase };
      return answered(console.PUT('/console/v1/fiscal-credentials', { body }));
    },
    done(now) {
      // Nothing of the secret stays on the page.
      setPassphrase('');
      setFile(undefined);
      queries.setQueryData(credentialsKey(env), now);
      void queries.invalidateQueries(setupQuery);
    },
    form: { setErrors, fields: ['certificate', 'passphrase'] },
  });
  return (
    <FormPanel
      title={t(isFirst ? 'authority.upload' : 'authority.replace')}
      about={t(isFirst ? 'authority.uploadAbout' : 'authority.replaceAbout')}
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
    </FormPanel>
  );
}
