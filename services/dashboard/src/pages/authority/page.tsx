import { answered, ApiError } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { useIssuer, useIssuerBasics } from '../../documents/issuer.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AuthorityForm } from './authority-form.tsx';
import { CertificateFacts } from './certificate-facts.tsx';
import { Check } from './check.tsx';
import { type Credentials, credentialsKey } from './credentials.ts';
import { RemoveCertificate } from './remove-certificate.tsx';
import { AuthoritySetup } from './setup.tsx';
import { Successor } from './successor.tsx';
import { UploadForm } from './upload-form.tsx';

/** Where documents are registered, what they still need, and the certificate that signs submissions: whose, until when, whether it works, and its successor. */
export default function AuthorityPage() {
  const { console, env } = useConsole();
  const canWrite = useCan()('settings:write');
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
      <AuthoritySetup />
      {data ? (
        <Panel title={t('authority.certificate')} actions={<RemoveCertificate />}>
          <CertificateFacts certificate={data} />
        </Panel>
      ) : (
        <Panel>
          <Empty icon="key" title={t('authority.none')}>
            {t('authority.noneText')}
          </Empty>
        </Panel>
      )}
      {data?.successor && <Successor successor={data.successor} />}
      {/* What was found is of the certificate and the authority that there are. */}
      {canWrite && <Check key={`${env} ${data?.fingerprint} ${issuer?.authority}`} />}
      {/* What was saved is not said any more once there is no certificate. */}
      <UploadForm key={`${env} ${data === null}`} before={data} />
    </Page>
  );
}
