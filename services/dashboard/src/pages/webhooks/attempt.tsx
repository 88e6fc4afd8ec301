import type { Resource } from '../../api/types.ts';
import { showMilliseconds } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Source } from '../../ui/source.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './attempt.module.css';

type Made = Resource<'DeliveryAttempt'>;

/** One attempt: what came of it, how long each part took, and what was answered. */
export function Attempt({ attempt }: { attempt: Made }) {
  const { n, at, error, status_code: status, trigger, duration_ms: ms, phases, response_body: body } = attempt;
  return (
    <section className={classes['attempt']} aria-label={t('attempts.one', { n })}>
      <p className={classes['head']}>
        <span className={classes['n']}>{t('attempts.one', { n })}</span>
        <Badge tone={error === null ? 'good' : 'bad'}>{status ?? t('attempts.noAnswer')}</Badge>
        <span className={classes['about']}>
          <Time at={at} /> · {showMilliseconds(ms)}
          {trigger === 'manual' && ` · ${t('attempts.manual')}`}
        </span>
      </p>
      {error !== null && <p className={classes['why']}>{t('attempts.why', { error })}</p>}
      {phases && <Phases phases={phases} />}
      {status !== null && (
        <div className={classes['answer']}>
          <p className={classes['label']}>{t('attempts.answer')}</p>
          {body ? <Source label={t('attempts.answer')} text={body} /> : <p className={classes['about']}>{t('attempts.answerEmpty')}</p>}
        </div>
      )}
    </section>
  );
}

const order = ['resolve', 'connect', 'tls', 'wait', 'body'] as const;

/** How long each part took. One that was not come to is not shown. */
function Phases({ phases }: { phases: Resource<'AttemptPhases'> }) {
  const known = order.flatMap((name) => (phases[name] === null ? [] : [{ name, ms: phases[name] }]));
  if (known.length === 0) return null;
  return (
    <>
      <div className={classes['bar']} aria-hidden>
        {known.map(({ name, ms }) => (
          <span key={name} className={classes['phase']} data-phase={name} style={{ flexGrow: Math.max(ms, 0.01) }} />
        ))}
      </div>
      <ul className={classes['legend']} aria-label={t('attempts.phases')}>
        {known.map(({ name, ms }) => (
          <li key={name}>
            <span className={classes['dot']} data-phase={name} aria-hidden />
            {named('phase', name)} {showMilliseconds(ms)}
          </li>
        ))}
      </ul>
    </>
  );
}
