import { Button } from '@mantine/core';
import { ApiError } from '@svc/client/console';
import { named, t } from '../texts/t.ts';
import { fieldName } from '../texts/field-name.ts';
import { forPeople } from '../texts/for-people.ts';
import { Crossed } from './change.ts';
import { Notice } from './notice.tsx';

interface FailureProps {
  error: Error;
  /** Of what was read: reads it again. */
  again?: () => void;
}

/** Why something could not be read or done, in the words of the interface. */
export function Failure({ error, again }: FailureProps) {
  if (error instanceof Crossed) return <Theirs crossed={error} />;
  const known = error instanceof ApiError ? error : undefined;
  const isOfPerson = known?.code === 'invalid_credentials';
  return (
    <Notice
      tone="bad"
      title={t(isOfPerson ? 'failure.credentials' : 'failure.title')}
      action={
        again && (
          <Button size="compact-sm" variant="default" onClick={again}>
            {t('failure.again')}
          </Button>
        )
      }
    >
      {textOf(known, again !== undefined)}
      {known && <Details details={known.details} />}
      {known?.requestId && !isOfPerson && (
        <p>
          {t('failure.request')} <code>{known.requestId}</code>
        </p>
      )}
    </Notice>
  );
}

/** Messages by field, of what has no field on the page. */
const Details = ({ details }: { details: Record<string, string[]> }) => (
  <ul>
    {Object.entries(details).map(([field, messages]) => (
      <li key={field}>
        {fieldName(field)}: {forPeople(messages.join(' '))}
      </li>
    ))}
  </ul>
);

/** What others have changed since a form was opened. */
const Theirs = ({ crossed: { changes } }: { crossed: Crossed }) => (
  <Notice tone="warn" title={t('crossed.title')}>
    <ul>
      {changes.map(({ field, from, to }) => (
        <li key={field}>{t('crossed.change', { field: named('field', field), from: shortOf(from), to: shortOf(to) })}</li>
      ))}
    </ul>
    <p>{t('crossed.text')}</p>
  </Notice>
);

/** A value of a form in a few words: names of a list, or the texts of each of its things; `—` for nothing. */
function shortOf(value: unknown): string {
  const list = Array.isArray(value) ? value.map(nameOf) : [String(value ?? '')];
  return list.join(', ') || '—';
}

function nameOf(one: unknown): string {
  if (typeof one !== 'object' || one === null) return String(one);
  if ('name' in one) return String(one.name);
  return Object.values(one)
    .filter((text) => typeof text === 'string' && text !== '')
    .join(' ');
}

/** Without an answer a read has done nothing; a write may have been done. */
function textOf(error: ApiError | undefined, isRead: boolean): string {
  if (!error) return t('failure.unexpected');
  if (error.code === 'invalid_credentials') return t('failure.credentialsText');
  if (error.code === 'idempotency_key_reused') return t('failure.mayBeDone');
  if (error.code === 'version_conflict') return t('failure.changed');
  if (error.code === 'unreachable') return t(isRead ? 'failure.unreachable' : 'failure.notAnswered');
  return forPeople(error.message);
}
