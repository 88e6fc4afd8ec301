import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { isCreditable } from '../../documents/corrections.ts';
import { documentAddress, documentKey, type Invoice } from '../../documents/documents.ts';
import { showQuantity } from '../../format/numbers.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Buttons } from './buttons.tsx';
import { type Chosen, creditOf, isWithoutAmounts } from './credit.ts';
import { CreditLines } from './credit-lines.tsx';
import { beyondLeft, leftOf } from './credited.ts';
import { fieldsOfForm, type ShownFields } from './errors.ts';
import classes from './form.module.css';
import { PreviewPanel } from './preview-panel.tsx';
import { useCreditNotes } from './use-credit-notes.ts';
import { usePreview } from './use-preview.ts';
import { useSavingDraft } from './use-saving-draft.ts';

/** A credit note of chosen lines of an invoice. */
export default function CreditPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: documentKey(env, 'invoice', id),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices/{id}', { params: { path: { id } }, signal })),
  });
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const number = data.number ?? '';
  return (
    <Page title={t('credit.title', { number })} about={t('credit.about')} back={{ to: documentAddress('invoice', id), label: number }}>
      <Credited invoice={data} />
    </Page>
  );
}

/** A form that has begun stays, whatever is registered meanwhile. */
function Credited({ invoice }: { invoice: Invoice }) {
  const [isOpen] = useState(() => isCreditable(invoice));
  if (isOpen) return <Open invoice={invoice} />;
  return (
    <Notice tone="info" title={t('credit.closed')} action={<Link to={documentAddress('invoice', invoice.id)}>{t('form.toInvoice')}</Link>}>
      {t('credit.closedAbout')}
    </Notice>
  );
}

function Open({ invoice }: { invoice: Invoice }) {
  const { notes, error, again } = useCreditNotes(invoice.id);
  if (error) return <Failure error={error} again={again} />;
  return notes ? <CreditForm invoice={invoice} notes={notes} /> : <PageSkeleton />;
}

/** Each line shows the first message about it, whatever it is of. */
const fieldsOfCredit: ShownFields = { head: [], line: [...fieldsOfForm.line, 'discounts', 'charges'] };

function CreditForm({ invoice, notes }: { invoice: Invoice; notes: readonly Invoice[] }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const [isExplained, setExplained] = useState(false);
  const values = useMemo(() => creditOf(invoice, chosen), [invoice, chosen]);
  const shown = usePreview(values, isExplained);
  const left = useMemo(() => leftOf(invoice, notes), [invoice, notes]);
  const beyond = beyondLeft(invoice, values, left);
  const { saving: sending, errors, failure, isDraftLeft } = useSavingDraft({ values, initialBase: null, fields: fieldsOfCredit });
  const saving = { ...sending, run: (goal: 'save' | 'submit') => beyond.length === 0 && sending.run(goal) };
  const messages = new Map([
    ...errors.lines,
    ...beyond.map((n) => [n, { quantity: t('credit.beyond', { quantity: showQuantity(left[n] ?? '0') }) }] as const),
  ]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.run('save');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !saving.isRunning) saving.run(event.shiftKey ? 'submit' : 'save');
      }}
    >
      {isDraftLeft && <Notice tone="info">{t('form.notSubmitted')}</Notice>}
      {failure && <Failure error={failure} />}
      {isWithoutAmounts(invoice, values) && <Notice tone="warn">{t('credit.withoutAmounts')}</Notice>}
      <div className={classes['form']}>
        <div className={classes['main']}>
          <CreditLines invoice={invoice} left={left} chosen={chosen} onChange={setChosen} errors={messages} />
        </div>
        <div className={classes['beside']}>
          <PreviewPanel shown={shown} customer={null} explain={setExplained} />
          {values.lines.length > 0 && <Buttons saving={saving} last={undefined} isNumbered={false} />}
        </div>
      </div>
    </form>
  );
}
