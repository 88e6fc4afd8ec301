import { Button } from '@mantine/core';
import { ApiError } from '@svc/client/console';
import { t } from '../texts/t.ts';
import { Notice } from './notice.tsx';

interface FailureProps {
  error: Error;
  again?: () => void;
}

/** Why something could not be read or done, in the words of the interface. */
export function Failure({ error, again }: FailureProps) {
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
      {textOf(known)}
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
        {field}: {messages.join(' ')}
      </li>
    ))}
  </ul>
);

function textOf(error: ApiError | undefined): string {
  if (!error) return t('failure.unexpected');
  if (error.code === 'invalid_credentials') return t('failure.credentialsText');
  return error.code === 'unreachable' ? t('failure.unreachable') : error.message;
}
