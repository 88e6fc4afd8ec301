import { Button } from '@mantine/core';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { Basket } from './basket.tsx';
import { receiptOf } from './lines.ts';
import { Issued } from './issued.tsx';
import { isRepeatedByItself, isTooOld } from './pending.ts';
import { useBasket } from './use-basket.ts';
import { type Issuing, useIssuing } from './use-issuing.ts';

/** The basket until it is paid, then the receipt. */
export function Selling({ till }: { till: Resource<'Till'> | null }) {
  const [lines, setLines] = useBasket();
  const issuing = useIssuing(() => setLines([]));
  const { pending, receipt, refused, isSending } = issuing;
  if (receipt) return <Issued receipt={receipt} next={issuing.next} />;
  return (
    <>
      {refused && <Failure error={refused} />}
      {pending && issuing.isLost && <NotIssuedYet issuing={issuing} />}
      <Basket
        lines={lines}
        onChange={setLines}
        isClosed={pending !== null}
        pay={(method) => issuing.issue(receiptOf(lines, method, till))}
        isPaying={isSending}
      />
    </>
  );
}

/** A receipt whose answer was lost. Nothing is printed, and no other receipt is begun, before it is known. */
function NotIssuedYet({ issuing: { pending, error, isSending, repeat, forget } }: { issuing: Issuing }) {
  if (!pending) return null;
  const isOld = isTooOld(pending);
  const about = isOld ? 'till.tooOld' : isRepeatedByItself(pending) ? 'till.repeated' : 'till.asksNoMore';
  return (
    <Panel title={t('till.notIssued')}>
      <Notice tone="warn" title={t(about)}>
        <Time at={pending.at} /> · {pending.body.items.map(({ description }) => description).join(', ')}
        {error && <p>{error.message}</p>}
      </Notice>
      <Actions>
        <Button variant="default" disabled={isSending} onClick={forget}>
          {t('till.forget')}
        </Button>
        {!isOld && (
          <Button loading={isSending} onClick={repeat}>
            {t('till.repeat')}
          </Button>
        )}
      </Actions>
    </Panel>
  );
}
