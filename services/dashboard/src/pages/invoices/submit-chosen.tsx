import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Invoice } from '../../documents/documents.ts';
import { submissionsAddress, submissionsKey } from '../../documents/submissions.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useSaving } from '../../ui/saving.ts';
import { canBeSubmitted, type Selection } from './selection.tsx';
import classes from './selection.module.css';

interface SubmitChosenProps {
  selection: Selection;
  choose: (ids: readonly string[]) => void;
  /** Those that the list shows. */
  rows: readonly Invoice[];
}

/** Submits the invoices that are chosen, one after another, in a queue of the server's. */
export function SubmitChosen({ selection: { chosen }, choose, rows }: SubmitChosenProps) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const submit = useSaving({
    run: (_: undefined, once) => answered(console.POST('/console/submissions', { body: { ids: [...chosen] }, headers: once })),
    async done() {
      choose([]);
      void queries.invalidateQueries({ queryKey: submissionsKey(env) });
      await navigate({ to: submissionsAddress });
    },
  });
  const open = rows.filter(canBeSubmitted).map(({ id }) => id);
  const isAll = open.every((id) => chosen.has(id));
  if (open.length === 0 && chosen.size === 0) return null;
  return (
    <div className={classes['bar']}>
      {!isAll && (
        <Button size="compact-sm" variant="default" onClick={() => choose([...new Set([...chosen, ...open])])}>
          {t('bulk.all', { count: open.length })}
        </Button>
      )}
      {chosen.size > 0 && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => choose([])}>
            {t('bulk.clear')}
          </Button>
          <Button size="compact-sm" onClick={() => setAsking(true)}>
            {t('bulk.submit', { count: chosen.size })}
          </Button>
        </>
      )}
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={t('bulk.title', { count: chosen.size })}
        button={t('bulk.button')}
        saving={submit}
      >
        <p>{t('bulk.about')}</p>
      </Confirm>
    </div>
  );
}
