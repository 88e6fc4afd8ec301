import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import { requestAddress } from './requests.ts';

/** Leads to a request by its id, also to one that succeeded. */
export function FindRequest() {
  const navigate = useNavigate();
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get('id') ?? '').trim();
    if (id !== '') void navigate({ to: requestAddress(id) });
  };
  return (
    <form onSubmit={find}>
      <TextInput
        name="id"
        leftSection={<Icon name="search" size={16} />}
        aria-label={t('requests.find')}
        placeholder={t('requests.find')}
        w={280}
        maw="100%"
      />
    </form>
  );
}
