import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { setupQuery } from '../../session/setup.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { type Key, named, t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './go-live.module.css';

type Step = Resource<'SetupStep'>;

/** What is missing until live documents can be issued. Steps tick themselves: the page asks again while it is open. */
export default function GoLivePage() {
  const { data, error, refetch } = useQuery({ ...setupQuery, refetchInterval: 15_000 });
  return (
    <Page title={t('nav.goLive')} about={t('goLive.about')}>
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
      {data?.live.ready && <Notice tone="good" title={t('goLive.ready')} />}
      {data && (
        <Panel flush>
          <ol>
            {data.live.steps.map((step, n) => (
              <StepRow key={step.id} step={step} n={n + 1} />
            ))}
          </ol>
        </Panel>
      )}
    </Page>
  );
}

/** Where a step is done. */
const places: Record<string, { address: string; label: Key; needs: string }> = {
  issuer: { address: '/app/settings/issuer', label: 'nav.issuer', needs: 'settings:write' },
  numbers: { address: '/app/settings/issuer', label: 'nav.issuer', needs: 'settings:write' },
  authority: { address: '/app/settings/authority', label: 'nav.authority', needs: 'settings:write' },
  certificate: { address: '/app/settings/authority', label: 'nav.authority', needs: 'settings:write' },
  first_document: { address: '/app/invoices/new', label: 'form.new', needs: 'invoices:write' },
};

/** Steps of which the text above says all that is missing. */
const said = new Set(['certificate', 'first_document']);

function StepRow({ step: { id, done, missing }, n }: { step: Step; n: number }) {
  const can = useCan();
  const to = places[id];
  return (
    <li className={classes['step']} data-done={done || undefined}>
      <span className={classes['mark']} aria-hidden>
        {done ? <Icon name="check" size={15} /> : n}
      </span>
      <div className={classes['text']}>
        <h2 className={classes['title']}>
          {named('step', id)} <span className={classes['state']}>{t(done ? 'goLive.done' : 'goLive.open')}</span>
        </h2>
        <p className={classes['about']}>{named('stepAbout', id)}</p>
        {!done && to && can(to.needs, 'live') && (
          <p>
            <Link to={to.address} search={{ live: 'true' } as never}>
              {t('goLive.to', { page: t(to.label) })}
            </Link>
          </p>
        )}
        {missing.length > 0 && !said.has(id) && (
          <ul className={classes['missing']}>
            {missing.map(({ field, message }) => (
              <li key={field}>{message}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
