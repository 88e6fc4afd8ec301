import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answered } from '@svc/client/console';
import { useState, useSyncExternalStore } from 'react';
import { general } from '../api/consoles.ts';
import { type Prompt, prompts } from '../api/prompts.ts';
import { t } from '../texts/t.ts';
import { Actions } from '../ui/actions.tsx';
import { Failure } from '../ui/failure.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { useSaving } from '../ui/saving.ts';
import classes from './asking.module.css';
import { useSession } from './session.ts';

/** Shows what a waiting request needs of the person. */
export function Asking() {
  const prompt = useSyncExternalStore(prompts.subscribe, prompts.current);
  // Kept while the dialog closes: without a title it would be one that has no name.
  const [last, setLast] = useState(prompt);
  if (prompt && prompt !== last) setLast(prompt);
  const title = last && t(last.question === 'step-up' ? 'stepUp.title' : 'liveWrite.title');
  // Without the library's header: it may stand over another dialog, and a page has one of them.
  return (
    <Modal.Root opened={prompt !== undefined} onClose={() => prompt?.answer(false)} zIndex={400} centered>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={title} radius="lg">
        <Modal.Body p={20}>
          <h2 className={classes['title']}>{title}</h2>
          {prompt?.question === 'step-up' && <StepUp prompt={prompt} />}
          {prompt?.question === 'live-write' && <LiveWrite prompt={prompt} />}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function StepUp({ prompt }: { prompt: Prompt }) {
  const { data } = useSession();
  const hasTotp = data?.state === 'in' && data.me.user.totp;
  const form = useForm({ initialValues: { secret: '' } });
  const saving = useSaving({
    run: ({ secret }: { secret: string }) =>
      answered(general.POST('/console/session/step-up', { body: hasTotp ? { code: secret } : { password: secret } })),
    done: () => prompt.answer(true),
  });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      {hasTotp ? (
        <TextInput
          data-autofocus
          required
          label={t('code.label')}
          description={t('stepUp.code')}
          autoComplete="one-time-code"
          {...form.getInputProps('secret')}
        />
      ) : (
        <PasswordInput
          data-autofocus
          required
          label={t('password.label')}
          description={t('stepUp.password')}
          autoComplete="current-password"
          {...form.getInputProps('secret')}
        />
      )}
      <FormButtons cancel={() => prompt.answer(false)} saving={saving} button={t('action.continue')} />
    </form>
  );
}

const LiveWrite = ({ prompt }: { prompt: Prompt }) => (
  <>
    <p>{t('liveWrite.text')}</p>
    <Actions>
      {/* It appears while one types: the Enter that was meant for a field agrees to nothing. */}
      <Button data-autofocus variant="default" onClick={() => prompt.answer(false)}>
        {t('action.cancel')}
      </Button>
      <Button onClick={() => prompt.answer(true)}>{t('liveWrite.yes')}</Button>
    </Actions>
  </>
);
