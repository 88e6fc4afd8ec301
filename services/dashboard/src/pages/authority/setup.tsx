import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { issuerKey } from '../../documents/issuer.ts';
import { SetupSteps } from '../../documents/setup-steps.tsx';
import { t } from '../../texts/t.ts';
import { Panel } from '../../ui/panel.tsx';

const EVERY_MS = 15_000;

/** What documents of the environment that is shown still need, with the authority that is set. */
export function AuthoritySetup() {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: issuerKey(env),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/issuer', { signal })),
    refetchInterval: EVERY_MS,
  });
  return (
    data && (
      <Panel title={t('authority.setup')} about={t('authority.setupAbout')} flush>
        <SetupSteps steps={data.setup.steps} env={env} />
      </Panel>
    )
  );
}
