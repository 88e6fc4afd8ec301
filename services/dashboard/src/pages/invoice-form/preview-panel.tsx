import { memo } from 'react';
import { Totals } from '../../documents/totals.tsx';
import { Warnings } from '../../documents/warnings.tsx';
import { showAmount } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { errorsOf } from './errors.ts';
import classes from './preview.module.css';
import type { Preview } from './use-preview.ts';

interface PreviewPanelProps {
  shown: Preview;
  /** The id of the customer whose page a warning leads to; null: none is chosen, or the form would be lost. */
  customer: string | null;
  explain: (isWanted: boolean) => void;
}

/** The live totals, what is probably not meant, and on demand how each figure came about. */
export const PreviewPanel = memo(function PreviewPanel({ shown: { preview, problem }, customer, explain }: PreviewPanelProps) {
  return (
    <Panel title={t('form.totals')} about={preview ? undefined : t('form.noTotals')} flush>
      <div aria-live="polite" className={classes['problem']}>
        {problem && (
          <Notice tone="warn" title={t('form.notCalculated')}>
            <ul>
              {messagesOf(problem).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Notice>
        )}
        {preview && <Warnings warnings={preview.warnings} customer={customer} />}
      </div>
      {preview && (
        <div className={classes['totals']} data-old={problem !== undefined || undefined}>
          <Totals document={preview} />
        </div>
      )}
      {preview && (
        <details className={classes['explained']} onToggle={(event) => explain(event.currentTarget.open)}>
          <summary>{t('form.explain')}</summary>
          <ol className={classes['steps']} tabIndex={0} aria-label={t('form.explain')}>
            {preview.explanation?.map(({ step, field, calculation, result, rule }, n) => (
              <li key={n} className={classes['step']}>
                <span className={classes['of']}>{t('form.step', { step: named('step', step), of: placeOf(field) })}</span>
                <span className={classes['calculation']}>
                  {calculation} = <b>{showAmount(result, preview.currency)}</b>
                </span>
                <span className={classes['rule']}>{rule}</span>
              </li>
            ))}
          </ol>
          {(preview.explanation_left_out ?? 0) > 0 && <p>{t('form.stepsMore', { count: preview.explanation_left_out ?? 0 })}</p>}
        </details>
      )}
    </Panel>
  );
});

/** `items.0` is line 1. */
const placeOf = (field: string): string => {
  const n = /^items\.(\d+)/.exec(field)?.[1];
  return n === undefined ? named('place', field.split('.')[0] ?? field) : t('form.line', { n: Number(n) + 1 });
};

function messagesOf({ error, values }: NonNullable<Preview['problem']>): string[] {
  const { head, lines } = errorsOf(error, values);
  const ofLines = [...lines].flatMap(([key, messages]) => {
    const n = values.lines.findIndex((line) => line.key === key) + 1;
    return Object.values(messages).map((text) => t('form.lineMessage', { n, text }));
  });
  const all = [...Object.values(head), ...ofLines];
  return all.length > 0 ? all.slice(0, MOST_MESSAGES) : [error.message];
}
const MOST_MESSAGES = 5;
