import { Button } from '@mantine/core';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Ago } from '../../ui/time.tsx';
import { type Kept, useKeeping } from './kept.ts';
import { filledLines } from './values.ts';

interface KeptQuestionProps {
  name: string;
  kept: Kept;
  /** Goes on with it. */
  goOn: () => void;
}

/** Offers the form that was left unfinished, before another one is begun. */
export function KeptQuestion({ name, kept, goOn }: KeptQuestionProps) {
  const { drop } = useKeeping(name);
  const dropping = useSaving({ run: (_: undefined) => drop() });
  const customer = kept.values.head.customer?.name;
  const count = filledLines(kept.values).length;
  return (
    <Panel title={t('kept.title')}>
      {dropping.error && <Failure error={dropping.error} />}
      <p>
        <bdi>{customer ?? t('kept.noCustomer')}</bdi> · {t('kept.lines', { count })} · <Ago at={kept.at} />
      </p>
      {kept.key !== undefined && <Notice tone="warn">{t('kept.maybeSaved')}</Notice>}
      <Actions>
        <Button variant="default" loading={dropping.isRunning} onClick={() => dropping.run(undefined)}>
          {t('kept.drop')}
        </Button>
        <Button autoFocus onClick={goOn}>
          {t('kept.goOn')}
        </Button>
      </Actions>
    </Panel>
  );
}
