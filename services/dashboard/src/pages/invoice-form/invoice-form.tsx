import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react';
import { documentAddress, type Invoice } from '../../documents/documents.ts';
import type { Decimal } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { merged } from './changes.ts';
import { Buttons } from './buttons.tsx';
import { fieldsOfForm } from './errors.ts';
import { Heading } from './heading.tsx';
import classes from './form.module.css';
import { type Base, useKeeping } from './kept.ts';
import { Lines } from './lines.tsx';
import { Options } from './options.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { changed } from './state.ts';
import { TheirsNotice } from './theirs-notice.tsx';
import { baseOf, refusals } from './use-draft.ts';
import { usePreview } from './use-preview.ts';
import { useSavingDraft } from './use-saving-draft.ts';
import { type FormValues, valuesOf } from './values.ts';

interface InvoiceFormProps {
  /** Below which name it is kept while it is unfinished; null: another tab keeps it. */
  name: string | null;
  initial: FormValues;
  /** The draft that it changes; null: it makes one. */
  initialBase: Base | null;
  /** Under which it was sent before, where no answer has come. */
  sentKey: string | undefined;
  /** The issuer's tax rate, in percent. */
  defaultRate: Decimal | null;
  /** What stands above it. */
  children?: ReactNode;
}

/** The form of an invoice: new, a copy, a corrective, or a draft that is changed. It becomes a draft only by "Save". */
export function InvoiceForm({ name, initial, initialBase, sentKey, defaultRate, children }: InvoiceFormProps) {
  const [values, dispatch] = useReducer(changed, initial);
  const [isExplained, setExplained] = useState(false);
  const shown = usePreview(values, isExplained);
  const form = useRef<HTMLFormElement>(null);

  const { drop, last, ...keeping } = useKeeping(name);
  const { keep } = keeping;
  // A form that could not be removed is offered again, which is no reason to fail: the draft is saved.
  const done = (): Promise<void> => drop().catch(() => undefined);
  const navigate = useNavigate();
  const [initialRefusal] = useState(() => (initialBase ? refusals.take(initialBase.id) : undefined));
  // What a new one has become has its own form.
  const refused = async ({ id }: Invoice, error: Error): Promise<void> => {
    refusals.put(id, error);
    await done();
    await navigate({ to: `${documentAddress('invoice', id)}/edit`, replace: true });
  };
  const isNew = initialBase === null;
  const ends = { done, initialRefusal, refused: isNew ? refused : undefined };
  const saves = useSavingDraft({ values, initialBase, fields: fieldsOfForm, sentKey, keeping, ...ends });
  const { saving, base, setBase, sent, errors, failure, isDraftLeft, theirs } = saves;
  useEffect(() => {
    // A draft has all of the form that it was made of.
    if (isNew && base !== null) return;
    if (values !== initial || base !== initialBase) keep({ base, values, key: sent() });
  }, [keep, base, values, sent, initial, initialBase, isNew]);

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [errors]);

  const isNumbered = base?.isNumbered ?? false;
  const { head, lines } = values;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.run('save');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !saving.isRunning) saving.run(event.shiftKey ? 'submit' : 'save');
      }}
    >
      {children}
      {theirs && base && (
        <TheirsNotice
          base={base}
          theirs={theirs}
          mine={values}
          takeTheirs={() => {
            dispatch({ change: 'all', to: valuesOf(theirs) });
            setBase(baseOf(theirs));
          }}
          keepMine={() => {
            dispatch({ change: 'all', to: merged(base.values, values, valuesOf(theirs)) });
            setBase(baseOf(theirs));
          }}
        />
      )}
      {isDraftLeft && !isNumbered && <Notice tone="info">{t('form.notSubmitted')}</Notice>}
      {failure && <Failure error={failure} />}
      <div className={classes['form']}>
        <div className={classes['main']}>
          <Heading head={head} dispatch={dispatch} errors={errors.head} isNumbered={isNumbered} />
          <Lines
            lines={lines}
            dispatch={dispatch}
            errors={errors.lines}
            amounts={shown.amounts}
            currency={head.currency}
            defaultRate={defaultRate}
            error={errors.head['items']}
          />
          <Options head={head} dispatch={dispatch} errors={errors.head} isNumbered={isNumbered} />
        </div>
        <div className={classes['beside']}>
          <PreviewPanel shown={shown} customer={head.customer?.id ?? null} explain={setExplained} />
          <Buttons saving={saving} last={last} isNumbered={isNumbered} />
        </div>
      </div>
    </form>
  );
}
