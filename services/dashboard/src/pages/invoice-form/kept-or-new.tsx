import { type ReactNode, useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import type { Decimal } from '../../format/numbers.ts';
import { useMe } from '../../session/session.ts';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { type Base, type Kept, useKept } from './kept.ts';
import { KeptQuestion } from './kept-question.tsx';
import { useHolding } from './use-holding.ts';
import type { FormValues } from './values.ts';

interface KeptOrNewProps {
  name: string;
  initial: FormValues;
  base: Base | null;
  defaultRate: Decimal | null;
  children?: ReactNode;
}

/** The form, kept below its name while it is unfinished. Where another tab has it, it is kept there alone, and this one says so. */
export function KeptOrNew(props: KeptOrNewProps) {
  const { name, children, ...form } = props;
  const env = useEnvironment();
  const { member } = useMe();
  const isHeld = useHolding(`${member.id} ${env} ${name}`);
  if (isHeld === undefined) return <PageSkeleton />;
  if (isHeld) return <HeldForm {...props} />;
  return (
    <>
      <Notice tone="warn" title={t('kept.elsewhere')}>
        {t('kept.elsewhereText')}
      </Notice>
      <InvoiceForm name={null} initial={form.initial} initialBase={form.base} sentKey={undefined} defaultRate={form.defaultRate}>
        {children}
      </InvoiceForm>
    </>
  );
}

/** Goes on with what was left unfinished where that is wanted. */
function HeldForm({ name, initial, base, defaultRate, children }: KeptOrNewProps) {
  const { kept, error, again } = useKept(name);
  const [chosen, setChosen] = useState<Kept>();
  if (kept === undefined && !error) return <PageSkeleton />;
  if (kept && !chosen) return <KeptQuestion name={name} kept={kept} goOn={() => setChosen(kept)} />;
  return (
    <>
      {error && <Failure error={error} again={again} />}
      <InvoiceForm
        name={name}
        initial={chosen?.values ?? initial}
        initialBase={chosen ? chosen.base : base}
        sentKey={chosen?.key}
        defaultRate={defaultRate}
      >
        {children}
      </InvoiceForm>
    </>
  );
}
