import { showTime } from '../../format/dates.ts';
import { useMe } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import classes from './changes.module.css';

/** Fields with the value before and after; the account by its name. */
export function Changes({ changes }: { changes: Record<string, { from: unknown; to: unknown }> }) {
  const { account } = useMe();
  const show = (value: unknown): string => (value === account.id ? account.name : shown(value));
  return (
    <ul className={classes['changes']}>
      {Object.entries(changes).map(([field, { from, to }]) => (
        <li key={field}>
          <span className={classes['field']}>{field.replaceAll('_', ' ')}</span>{' '}
          {isNothing(from) ? show(to) : `${show(from)} → ${show(to)}`}
        </li>
      ))}
    </ul>
  );
}

const LONGEST = 120;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

function shown(value: unknown): string {
  if (isNothing(value)) return t('audit.nothing');
  if (Array.isArray(value)) return value.map(shown).join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (TIMESTAMP.test(text)) return showTime(text);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
