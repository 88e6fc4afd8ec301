import { Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { general } from '../../api/consoles.ts';
import type { Environment } from '../../api/environment.ts';
import type { Once } from '../../api/intent.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { KeyForm } from './key-form.tsx';
import { freshKeys, keyAddress, keysKey, type KeyValues, settingsOf } from './keys.ts';

interface CreateKeyProps {
  opened: boolean;
  /** The environment that is chosen at first. */
  env: Environment;
  close: () => void;
}

/** A form for a new key, which leads to the page of the key: its value is shown there, once. */
export const CreateKey = ({ opened, env, close }: CreateKeyProps) => (
  <Modal opened={opened} onClose={close} title={t('keys.create')} size={520}>
    {opened && <NewKey env={env} close={close} />}
  </Modal>
);

function NewKey({ env, close }: Pick<CreateKeyProps, 'env' | 'close'>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const can = useCan();
  const livemode = can('api_keys:write', env) ? env : 'test';
  const create = (values: KeyValues, once: Once) => {
    const body = { ...settingsOf(values), livemode: values.livemode === 'live' };
    return answered(general.POST('/console/api-keys', { body, headers: once }));
  };
  const show = async (made: Resource<'ConsoleKey'>): Promise<void> => {
    freshKeys.put(made.id, made.key);
    void queries.invalidateQueries({ queryKey: keysKey });
    await navigate({ to: keyAddress(made.id), search: ((before: object) => ({ ...before, create: undefined })) as never });
  };
  return <KeyForm initial={{ ...empty, livemode }} save={create} done={show} button={t('keys.createButton')} cancel={close} />;
}

const empty: Omit<KeyValues, 'livemode'> = { name: '', permissions: [], ends: '', addresses: '' };
