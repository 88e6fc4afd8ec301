import { type ReactNode, useState } from 'react';
import type { Decimal } from '../../format/numbers.ts';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { Failure } from '../../ui/failure.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { type Base, type Kept, useKept } from './kept.ts';
import { KeptQuestion } from './kept-question.tsx';
import type { FormValues } from './values.ts';

interface KeptOrNewProps {
  name: string;
  initial: FormValues;
  base: Base | null;
  defaultRate: Decimal | null;
  children?: ReactNode;
}

/** The form, which goes on with what was left unfinished where that is wanted. */
export function KeptOrNew({ name, initial, base, defaultRate, children }: KeptOrNewProps) {
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
