import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Resource } from '../../api/types.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { Basket } from './basket.tsx';
import { type BasketLine, receiptOf } from './lines.ts';
import { Issued } from './issued.tsx';
import { isTooOld } from './pending.ts';
import { type Issuing, useIssuing } from './use-issuing.ts';

/** The basket until it is paid, then the receipt. */
export function Selling({ till }: { till: Resource<'Till'> | null }) {
  const issuing = useIssuing();
  const [lines, setLines] = useState<BasketLine[]>([]);
  const { pending, receipt, refused, isSending } = issuing;
  if (receipt)
    return (
      <Issued
        receipt={receipt}
        next={() => {
          setLines([]);
          issuing.next();
        }}
      />
    );
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
  return (
    <Panel title={t('till.notIssued')}>
      <Notice tone="warn" title={t(isOld ? 'till.tooOld' : 'till.repeated')}>
        <Time at={pending.at} /> · {pending.body.items.map(({ description }) => description).join(', ')}
        {error && <p>{error.message}</p>}
      </Notice>
      {isOld ? (
        <Button variant="default" onClick={forget}>
          {t('till.forget')}
        </Button>
      ) : (
        <Button loading={isSending} onClick={repeat}>
          {t('till.repeat')}
        </Button>
      )}
    </Panel>
  );
}
