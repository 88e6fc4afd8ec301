import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { documentKey, type Invoice } from '../../documents/documents.ts';
import { named, t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Ago } from '../../ui/time.tsx';
import { type Difference, differences, dropsLines } from './changes.ts';
import type { Base } from './kept.ts';
import classes from './theirs.module.css';
import { type FormValues, valuesOf } from './values.ts';

interface TheirsNoticeProps {
  base: Base;
  theirs: Invoice;
  mine: FormValues;
  /** Goes on with mine on top of theirs. */
  keepMine: () => void;
  takeTheirs: () => void;
}

/** Says that the draft was changed meanwhile, by whom and what, and lets choose. */
export function TheirsNotice({ base, theirs, mine, keepMine, takeTheirs }: TheirsNoticeProps) {
  const who = useActor(theirs);
  const changes = differences(base.values, valuesOf(theirs));
  const isEditable = theirs.available_actions.includes('update');
  return (
    <Notice tone="warn" title={who ? t('theirs.titleBy', { name: who }) : t('theirs.title')}>
      <p>
        <Ago at={theirs.updated_at} />
        {!isEditable && <> · {t('theirs.closed', { status: named('status', theirs.status) })}</>}
      </p>
      <ul className={classes['changes']}>
        {changes.map((change) => (
          <li key={`${change.field} ${change.line ?? ''}`}>
            {nameOf(change)}: <del>{change.from || '—'}</del> → <ins>{change.to || '—'}</ins>
          </li>
        ))}
      </ul>
      <Actions>
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          {t('theirs.take')}
        </Button>
        {isEditable && (
          <Button size="compact-sm" onClick={keepMine}>
            {t(dropsLines(base.values, mine, valuesOf(theirs)) ? 'theirs.keepMyLines' : 'theirs.keepMine')}
          </Button>
        )}
      </Actions>
    </Notice>
  );
}

const nameOf = ({ field, line }: Difference): string => (line === undefined ? named('form.field', field) : t('form.line', { n: line }));

/** Who made this version: the newest entry of its history. */
function useActor({ id, version }: Invoice): string | null {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: [...documentKey(env, 'invoice', id), 'actor', version],
    queryFn: ({ signal }) =>
      answered(console.GET('/console/documents/{id}/timeline', { params: { path: { id }, query: { per_page: 5 } }, signal })),
  });
  return data?.data.find(({ kind }) => kind === 'history')?.actor?.name ?? null;
}
