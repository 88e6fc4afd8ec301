import { NativeSelect } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { issuerKey } from '../../documents/issuer.ts';
import { useCan } from '../../session/session.ts';
import { setupQuery } from '../../session/setup.ts';
import { forPeople } from '../../texts/for-people.ts';
import { named, t } from '../../texts/t.ts';
import { createChange } from '../../ui/change.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSaving } from '../../ui/saving.ts';

type Issuer = Resource<'Issuer'>;
type Authority = NonNullable<Resource<'UpdateIssuer'>['authority']>;
interface Values {
  /** '': none. */
  authority: string;
}

const valuesOf = ({ authority }: Issuer): Values => ({ authority: authority ?? '' });

/** Where documents are registered, of the `authorities` of the environment, and what the installation lacks for the chosen one. Without one nothing is submitted. */
export function AuthorityForm({ issuer, authorities }: { issuer: Issuer; authorities: readonly string[] }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const canWrite = useCan()('settings:write');
  const [change] = useState(() =>
    createChange<Issuer, Values>({
      opened: issuer,
      valuesOf,
      read: () => answered(console.GET('/console/v1/issuer')),
      write: ({ values: { authority }, headers }) =>
        answered(console.PATCH('/console/v1/issuer', { headers, body: { authority: (authority || null) as Authority | null } })),
    }),
  );
  const [authority, setAuthority] = useState(change.initial.authority);
  const [error, setError] = useState<string>();
  const saving = useSaving({
    run: change.save,
    done(saved) {
      queries.setQueryData(issuerKey(env), saved);
      void queries.invalidateQueries(setupQuery);
    },
    form: {
      setErrors: (errors) => setError(errors['authority']),
      setValues: (merged: Values) => setAuthority(merged.authority),
      fields: ['authority'],
    },
  });
  const choices = [...new Set([...authorities, ...(issuer.authority ? [issuer.authority] : [])])];
  const lacking = issuer.setup.steps.find(({ id }) => id === 'authority')?.missing ?? [];
  const what = lacking.map(({ field, message }) => (
    <p key={field}>
      <bdi>{named('missing', field)}</bdi> <bdi>{forPeople(message)}</bdi>
    </p>
  ));
  if (choices.length === 0)
    return (
      <Notice tone="warn" title={t('authority.where')}>
        {what}
      </Notice>
    );
  return (
    <FormPanel
      title={t('authority.where')}
      about={t('authority.whereAbout')}
      saving={saving}
      canWrite={canWrite}
      onSubmit={(event) => {
        event.preventDefault();
        setError(undefined);
        saving.run({ authority });
      }}
    >
      <NativeSelect
        maw={420}
        label={t('nav.authority')}
        data={[{ value: '', label: t('authority.nowhere') }, ...choices.map((value) => ({ value, label: named('authority', value) }))]}
        value={authority}
        error={error}
        onChange={(event) => setAuthority(event.currentTarget.value)}
      />
      {issuer.authority !== null && lacking.length > 0 && (
        <Notice tone="warn" title={t('authority.notConnected')}>
          {what}
        </Notice>
      )}
    </FormPanel>
  );
}
