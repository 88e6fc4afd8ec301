import { useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import { useMe } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
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
  const [isWithout, setWithout] = useState(() => store.read() !== null);
  return till !== null || isWithout ? <Selling till={till} /> : <ChooseTill without={() => setWithout(true)} />;
}
