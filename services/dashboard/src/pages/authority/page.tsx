import { answered, ApiError } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useIssuer, useIssuerBasics } from '../../documents/issuer.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ago, Time } from '../../ui/time.tsx';
import { AuthorityForm } from './authority-form.tsx';
import { credentialsKey } from './credentials.ts';
import { RemoveCertificate } from './remove-certificate.tsx';
import { UploadForm } from './upload-form.tsx';

type Credentials = Resource<'FiscalCredentials'>;

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

/** Where documents are registered, and the certificate that signs submissions: whose, until when, and its successor. */
export default function AuthorityPage() {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: credentialsKey(env),
    async queryFn({ signal }): Promise<Credentials | null> {
      try {
        return await answered(console.GET('/console/v1/fiscal-credentials', { signal }));
      } catch (failure) {
        if (failure instanceof ApiError && failure.code === 'not_found') return null;
        throw failure;
      }
    },
  });
  const { issuer, isRead } = useIssuer();
  const basics = useIssuerBasics();
  if (error) return <Failure error={error} again={() => void refetch()} />;
  if (data === undefined || !isRead || basics.isPending) return <PageSkeleton />;
  return (
    <Page title={t('nav.authority')} about={t('authority.about')}>
      {issuer && <AuthorityForm issuer={issuer} authorities={basics.data?.authorities ?? []} />}
      {data ? (
        <Panel title={t('authority.certificate')} actions={<RemoveCertificate />}>
          <Facts rows={rowsOf(data)} />
        </Panel>
      ) : (
        <Panel>
          <Empty icon="key" title={t('authority.none')}>
            {t('authority.noneText')}
          </Empty>
        </Panel>
      )}
      <UploadForm key={env} isFirst={data === null} />
    </Page>
  );
}

const rowsOf = ({ subject, serial, expires_at: ends, fingerprint, created_at: at }: Credentials) => [
  [t('authority.subject'), subject] as const,
  [
    t('authority.ends'),
    <span key="ends">
      <Time at={ends} /> <Badge tone={toneOf(ends)}>{<Ago at={ends} />}</Badge>
    </span>,
  ] as const,
  [t('authority.serial'), <code key="serial">{serial}</code>] as const,
  [t('authority.fingerprint'), <code key="fingerprint">{fingerprint}</code>] as const,
  ...(at ? [[t('authority.uploaded'), <Time key="at" at={at} />] as const] : []),
];

const toneOf = (ends: string): Tone => {
  const days = (Date.parse(ends) - Date.now()) / DAY_MS;
  return days < 0 ? 'bad' : days < SOON_DAYS ? 'warn' : 'good';
};
