import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { type Console, useConsole } from '../api/consoles.ts';
import { useSeesPersonalData } from '../session/session.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { useSaving } from '../ui/saving.ts';
import type { Kind } from './documents.ts';
import classes from './evidence.module.css';

interface EvidenceProps {
  kind: Kind;
  id: string;
}

const linkOf = (console: Console, { kind, id }: EvidenceProps) => {
  const options = { params: { path: { id } } };
  return answered(
    kind === 'invoice'
      ? console.GET('/console/v1/invoices/{id}/evidence', options)
      : console.GET('/console/v1/receipts/{id}/evidence', options),
  );
};

/** What was sent and answered, as a file, for who may see whom it names. A link is made by each press, since the audit names who asks. */
export function Evidence(props: EvidenceProps) {
  const { console } = useConsole();
  const seesPersonalData = useSeesPersonalData();
  const asking = useSaving({
    run: (_: undefined) => linkOf(console, props),
    done: ({ url }) => location.assign(url),
  });
  if (!seesPersonalData) return null;
  return (
    <div className={classes['evidence']}>
      <p className={classes['about']}>{t('evidence.about')}</p>
      <Button size="compact-sm" variant="default" loading={asking.isRunning} onClick={() => asking.run(undefined)}>
        {t('evidence.get')}
      </Button>
      {asking.error && <Failure error={asking.error} again={() => asking.run(undefined)} />}
    </div>
  );
}
