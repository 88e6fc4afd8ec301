import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Once } from '../api/intent.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import { useSaving } from '../ui/saving.ts';

interface VoidDocumentProps<Now> {
  opened: boolean;
  close: () => void;
  /** A draft is voided without a reason. */
  needsReason: boolean;
  run: (reason: string | undefined, once: Once) => Promise<Now>;
  done: (now: Now) => void;
}

/** Asks for the reason, which the authority may get. */
export function VoidDocument<Now>({ opened, close, needsReason, run, done }: VoidDocumentProps<Now>) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const saving = useSaving({
    run: (_: undefined, once) => run(reason.trim() || undefined, once),
    done(now) {
      close();
      done(now);
    },
    form: { setErrors: (errors) => setError(errors['reason']), fields: ['reason'] },
  });
  return (
    <Confirm opened={opened} close={close} title={t('void.title')} button={t('void.button')} saving={saving} isDangerous>
      <p>{t(needsReason ? 'void.about' : 'void.aboutDraft')}</p>
      {needsReason && (
        <Textarea
          mt={12}
          rows={2}
          required
          data-autofocus
          maxLength={500}
          label={t('void.reason')}
          description={t('void.reasonAbout')}
          value={reason}
          error={error}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setError(undefined);
          }}
        />
      )}
    </Confirm>
  );
}
