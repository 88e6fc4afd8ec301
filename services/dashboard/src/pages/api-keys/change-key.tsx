import { answered } from '@svc/client/console';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { createChange } from '../../ui/change.ts';
import { KeyForm } from './key-form.tsx';
import { changesOf, type KeyValues, valuesOf } from './keys.ts';

type Key = Resource<'ConsoleKey'>;

interface ChangeKeyProps {
  apiKey: Key;
  done: (now: Key) => Promise<void>;
  cancel: () => void;
}

/** The form of a key as it is when it is opened. */
export function ChangeKey({ apiKey: key, done, cancel }: ChangeKeyProps) {
  const [change] = useState(() => {
    const params = { path: { id: key.id } };
    return createChange<Key, KeyValues>({
      opened: key,
      valuesOf,
      read: () => answered(general.GET('/console/api-keys/{id}', { params })),
      write: ({ before, values, headers }) =>
        answered(general.PATCH('/console/api-keys/{id}', { params, headers, body: changesOf(before, values) })),
    });
  });
  return <KeyForm initial={change.initial} isMade save={change.save} done={done} button={t('action.save')} cancel={cancel} />;
}
