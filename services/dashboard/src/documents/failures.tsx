import type { Resource } from '../api/types.ts';
import { withFieldName } from '../texts/field-name.ts';
import { forPeople } from '../texts/for-people.ts';
import { t } from '../texts/t.ts';
import { DocumentLink } from './document-link.tsx';
import { kindOf } from './documents.ts';

/** Each is read for its number. */
const SHOWN = 10;

/** The documents that a job has no result for, each with what to do: the first of `count`. */
export const Failures = ({ failures, count }: { failures: readonly Resource<'JobFailure'>[]; count: number }) => (
  <>
    <ul>
      {failures.slice(0, SHOWN).map(({ id, message }) => (
        <li key={id}>
          <DocumentLink kind={kindOf(id)} id={id} />: {forPeople(withFieldName(message))}
        </li>
      ))}
    </ul>
    {count > SHOWN && <p>{t('job.more', { count: count - SHOWN })}</p>}
  </>
);
