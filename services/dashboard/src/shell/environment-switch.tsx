import { Link } from '@tanstack/react-router';
import { type Environment, useEnvironment } from '../api/environment.ts';
import { t } from '../texts/t.ts';
import classes from './environment-switch.module.css';

const environments: readonly Environment[] = ['test', 'live'];

/** Test or live: the same page in the other environment. A page of one document leads back to its list, since the other has no such document. */
export function EnvironmentSwitch() {
  const now = useEnvironment();
  return (
    <div className={classes['switch']} role="group" aria-label={t('env.label')}>
      {environments.map((env) => (
        <Link
          key={env}
          to="."
          search={((before: object) => ({ ...before, page: undefined, live: env === 'live' ? 'true' : undefined })) as never}
          activeOptions={{ includeSearch: false }}
          className={classes['side']}
          data-env={env}
          data-chosen={env === now || undefined}
          aria-current={env === now ? 'true' : 'false'}
        >
          {t(`env.${env}`)}
        </Link>
      ))}
    </div>
  );
}
