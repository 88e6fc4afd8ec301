import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showTime } from '../../format/dates.ts';
import { named, t } from '../../texts/t.ts';
import { forPeople } from '../../texts/for-people.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import classes from './check.module.css';

type Result = Resource<'FiscalCredentialsCheck'>;

const tones: Record<string, Tone> = { passed: 'good', warning: 'warn', failed: 'bad', skipped: 'calm' };

/** Tries certificate and connection when it is asked to, and shows what was found. */
export function Check() {
  const { console } = useConsole();
  const [result, setResult] = useState<Result>();
  const checking = useSaving({
    run: (_: undefined, once) => answered(console.POST('/console/v1/fiscal-credentials/check', { body: {}, headers: once })),
    done: setResult,
  });
  return (
    <Panel
      title={t('authority.check')}
      about={t('authority.checkAbout')}
      actions={
        <Button size="compact-sm" variant="default" loading={checking.isRunning} onClick={() => checking.run(undefined)}>
          {t('authority.checkButton')}
        </Button>
      }
    >
      {checking.error && <Failure error={checking.error} />}
      {result && <Found result={result} />}
    </Panel>
  );
}

const Found = ({ result: { ready, checks, checked_at: at } }: { result: Result }) => (
  <>
    <Notice tone={ready ? 'good' : 'bad'} title={t(ready ? 'authority.ready' : 'authority.notReady')}>
      {t('authority.checkedAt', { at: showTime(at) })}
    </Notice>
    <ul className={classes['checks']}>
      {checks.map(({ id, outcome, message }) => (
        <li key={id} className={classes['check']}>
          <span>
            <Badge tone={tones[outcome] ?? 'calm'}>{named('checked', outcome)}</Badge>
          </span>
          <span className={classes['name']}>{named('check', id)}</span>
          <bdi className={classes['message']}>{forPeople(message)}</bdi>
        </li>
      ))}
    </ul>
  </>
);
