import { Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { general } from '../../api/consoles.ts';
import type { Environment } from '../../api/environment.ts';
import type { Intent, Once } from '../../api/intent.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { useIntent } from '../../ui/saving.ts';
import { KeyForm } from './key-form.tsx';
import { freshKeys, keyAddress, keysKey, type KeyValues, settingsOf } from './keys.ts';

interface CreateKeyProps {
  opened: boolean;
  /** The environment that is chosen at first. */
  env: Environment;
  close: () => void;
}

/** A form for a new key, which leads to the page of the key: its value is shown there, once. */
export function CreateKey({ opened, env, close }: CreateKeyProps) {
  const intent = useIntent();
  return (
    <Modal opened={opened} onClose={close} title={t('keys.create')} size={520}>
      {opened && <NewKey env={env} close={close} intent={intent} />}
    </Modal>
  );
}

function NewKey({ env, close, intent }: Pick<CreateKeyProps, 'env' | 'close'> & { intent: Intent }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const can = useCan();
  const livemode = can('api_keys:write', env) ? env : 'test';
  // After a failure, too: without an answer the list says whether it is there.
  const refresh = (): void => void queries.invalidateQueries({ queryKey: keysKey });
  const create = (values: KeyValues, once: Once) => {
    const body = { ...settingsOf(values), livemode: values.livemode === 'live' };
    return answered(general.POST('/console/api-keys', { body, headers: once })).finally(refresh);
  };
  const show = async (made: Resource<'ConsoleKey'>): Promise<void> => {
    freshKeys.put(made.id, made.key);
    await navigate({ to: keyAddress(made.id), search: ((before: object) => ({ ...before, create: undefined })) as never });
  };
  return (
    <KeyForm initial={{ ...empty, livemode }} save={create} done={show} intent={intent} button={t('keys.createButton')} cancel={close} />
  );
}

const empty: Omit<KeyValues, 'livemode'> = { name: '', permissions: [], ends: '', addresses: '' };
