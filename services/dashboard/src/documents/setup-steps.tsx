import { Link } from '@tanstack/react-router';
import type { Environment } from '../api/environment.ts';
import type { Resource } from '../api/types.ts';
import { useCan } from '../session/session.ts';
import { type Key, named, t } from '../texts/t.ts';
import { forPeople } from '../texts/for-people.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './setup-steps.module.css';

interface StepsProps {
  steps: readonly Resource<'SetupStep'>[];
  /** The environment whose documents need them. */
  env: Environment;
}

/** What documents need before they can be submitted, and where each step is done. */
export const SetupSteps = ({ steps, env }: StepsProps) => (
  <ol>
    {steps.map((step, n) => (
      <StepRow key={step.id} step={step} n={n + 1} env={env} />
    ))}
  </ol>
);

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

function StepRow({ step: { id, done, missing }, n, env }: { step: StepsProps['steps'][number]; n: number; env: Environment }) {
  const can = useCan();
  const to = places[id];
  return (
    <li className={classes['step']} data-done={done || undefined}>
      <span className={classes['mark']} aria-hidden>
        {done ? <Icon name="check" size={15} /> : n}
      </span>
      <div className={classes['text']}>
        <h3 className={classes['title']}>
          {named('step', id)} <span className={classes['state']}>{t(done ? 'goLive.done' : 'goLive.open')}</span>
        </h3>
        <p className={classes['about']}>{named('stepAbout', id)}</p>
        {!done && to && can(to.needs, env) && (
          <p>
            <Link to={to.address} search={{ live: env === 'live' ? 'true' : undefined } as never}>
              {t('goLive.to', { page: t(to.label) })}
            </Link>
          </p>
        )}
        {missing.length > 0 && !said.has(id) && (
          <ul className={classes['missing']}>
            {missing.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <bdi>{named('missing', field)}</bdi> <bdi>{forPeople(message)}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
