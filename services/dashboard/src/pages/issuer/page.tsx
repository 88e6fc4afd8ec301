import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { issuerKey } from '../../documents/issuer.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { DevicesForm, hasTillsAtAuthority } from './devices-form.tsx';
import type { Issuer } from './issuer.ts';
import { IssuerForm } from './issuer-form.tsx';
import { SeriesForm } from './series-form.tsx';
import { UnitsForm } from './units-form.tsx';

/** While a till is being registered. */
const ASKED_MS = 5_000;
const isRegistering = ({ state }: Issuer['devices'][number]): boolean => state === 'registering';

/** Who issues the documents of an environment, their numbers, and where tills stand. */
export default function IssuerPage() {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: issuerKey(env),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/issuer', { signal })),
    // A form that is filled is not replaced.
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.devices.some(isRegistering) ? ASKED_MS : false),
  });
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page title={t('nav.issuer')} about={t('issuer.about')}>
      <Fragment key={env}>
        <IssuerForm issuer={data} />
        <SeriesForm issuer={data} />
        <UnitsForm issuer={data} />
        {hasTillsAtAuthority(data) && <DevicesForm key={tillsOf(data)} issuer={data} />}
      </Fragment>
    </Page>
  );
}

/** The form is another one where there are other devices. */
const tillsOf = ({ devices }: Issuer): string => devices.map(({ unit, code }) => `${unit} ${code}`).join();
