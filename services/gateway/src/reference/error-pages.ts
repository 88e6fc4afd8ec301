import { exampleOf } from '@svc/contracts/openapi/examples/index';
import { failures, type Failure } from '@svc/contracts/openapi/failures';
import { remedies, type FailureCode } from '@svc/contracts/openapi/guide/remedies';
import { ErrorResource } from '@svc/contracts/http/error';
import type { PageContent } from './blocks.ts';

interface Known {
  status: string;
  code: FailureCode;
  when: string;
  failure: Failure;
}

/** Every error code. */
const known: readonly Known[] = Object.entries(failures).flatMap(([status, failure]) =>
  Object.entries(failure.codes).map(([code, when]) => ({ status, code: code as FailureCode, when, failure })),
);

/** Statuses of a class that a request without a body, or without an identifier in its path, never has. */
const OF_BODIES = ['413', '415'];
const OF_IDS = ['404'];
/** Statuses that a response lists for itself where it has them. */
const OWN = ['409', '412', '422', '429'];

/** The errors that responses stand for, which are statuses (`422`) or classes (`4XX`). */
export const codesOfStatus = (responses: readonly string[], { hasBody, hasId }: { hasBody: boolean; hasId: boolean }): readonly Known[] =>
  known.filter(({ status }) => {
    if (responses.includes(status)) return true;
    if (OWN.includes(status) || !responses.includes(`${status.charAt(0)}XX`)) return false;
    return !(OF_BODIES.includes(status) && !hasBody) && !(OF_IDS.includes(status) && !hasId);
  });

/** The list of errors, and a page for each: `/docs/errors/<code>`, to which the `type` of a problem leads. */
export const errorPages = (): PageContent[] => [
  {
    path: '/errors',
    title: 'Errors',
    about: 'Every error code: when it is answered and what to do.',
    blocks: [
      {
        kind: 'table',
        head: ['status', 'code', 'when'],
        rows: known.map(({ status, code, when }) => [status, `[\`${code}\`](/docs/errors/${code})`, when]),
      },
    ],
  },
  ...known.map(errorPage),
];

function errorPage({ status, code, when, failure }: Known): PageContent {
  const { error } = exampleOf(ErrorResource) as { error: { request_id: string } };
  const example =
    code === 'validation_error'
      ? { error }
      : { error: { code, message: 'What is wrong, and what to do next.', request_id: error.request_id } };
  const { headers = [] } = failure;
  return {
    path: `/errors/${code}`,
    title: code,
    about: when,
    blocks: [
      { kind: 'text', text: `Status **${status}**. ${failure.description}` },
      { kind: 'heading', level: 2, text: 'When', id: 'when' },
      { kind: 'text', text: when },
      { kind: 'heading', level: 2, text: 'What to do', id: 'what-to-do' },
      { kind: 'text', text: remedies[code] },
      ...(headers.length > 0 ? [{ kind: 'text', text: `Headers: ${headers.map((name) => `\`${name}\``).join(', ')}.` } as const] : []),
      { kind: 'heading', level: 2, text: 'Example', id: 'example' },
      { kind: 'code', language: 'json', code: JSON.stringify(example, null, 2) },
      { kind: 'text', text: 'All codes: [Errors](/docs/errors).' },
    ],
  };
}
