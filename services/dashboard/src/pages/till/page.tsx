import { useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { useMe } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { ChooseTill } from './choose-till.tsx';
import { Selling } from './selling.tsx';
import { usePendingStore } from './use-issuing.ts';

/** The till of a cashier: unit and device once a session, then receipts by keyboard or touch. */
export default function TillPage() {
  const env = useEnvironment();
  const { till } = useMe();
  const about = till ? t('till.at', { unit: till.unit, device: till.device }) : t('till.about');
  return (
    <Page title={t('nav.till')} about={about}>
      <Till key={env} />
    </Page>
  );
}

function Till() {
  const { till } = useMe();
  const store = usePendingStore();
  // A receipt that is not answered yet comes before any question.
  const [isPending] = useState(() => store.read() !== null);
  const { data, error, refetch } = useIssuerBasics();
  if (isPending) return <Selling till={till} />;
  if (error) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  // Documents name tills of the issuer alone; a till that was chosen in the other environment may be none of this one.
  const units = data.units.filter(({ devices }) => devices.length > 0);
  const isHere = units.some(({ code, devices }) => code === till?.unit && devices.includes(till.device));
  if (till !== null && isHere) return <Selling till={till} />;
  return units.length > 0 ? <ChooseTill units={units} /> : <Selling till={null} />;
}
