import { Link, useMatches } from '@tanstack/react-router';
import { type Environment, useEnvironment } from '../api/environment.ts';
import { t } from '../texts/t.ts';
import { keptSearch, listRoute } from './other-environment.ts';
import classes from './environment-switch.module.css';

type Search = Record<string, string | undefined>;
const environments: readonly Environment[] = ['test', 'live'];

/** Test or live: the same page in the other environment. A page of one document leads back to its list, since the other has no such document. */
export function EnvironmentSwitch() {
  const now = useEnvironment();
  const route = useMatches({ select: (matches) => String(matches.at(-1)?.fullPath ?? '/app') });
  return (
    <div className={classes['switch']} role="group" aria-label={t('env.label')}>
      {environments.map((env) => (
        <Link
          key={env}
          to={env === now ? '.' : listRoute(route)}
          search={
            ((before: Search) =>
              env === now ? before : { ...keptSearch(route, before), live: env === 'live' ? 'true' : undefined }) as never
          }
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
