import { steps } from '@svc/contracts/openapi/guide/walk/steps';
import { languages, walk } from '@svc/contracts/openapi/guide/walk/walk';
import type { Transition } from '@svc/contracts/document/transition';
import { invoiceTransitions } from '@svc/contracts/invoice/vocabulary';
import { receiptTransitions } from '@svc/contracts/receipt/vocabulary';
import { deliveryTransitions } from '@svc/contracts/webhook/vocabulary';
import type { Block, PageContent } from './blocks.ts';
import { operationsOf, originOf, type OpenApi } from './openapi.ts';

/** `/docs`: the first requests, the states, which correction is when, and the chapters of the document. */
export function startPage(document: OpenApi): PageContent {
  const { info } = document;
  return {
    path: '',
    title: 'Invoicing and Fiscal Submission',
    about: 'From nothing to a fiscal code, states, and what holds for every request.',
    blocks: [...firstCode(document), ...states(document), ...corrections, ...chapters(info.description ?? '')],
  };
}

function firstCode(document: OpenApi): Block[] {
  const programs = walk(`${originOf(document)}/v1`);
  return [
    { kind: 'heading', level: 2, text: 'From nothing to a fiscal code', id: 'first-code' },
    { kind: 'text', text: 'The code of all steps, one after the other, is a program that runs.' },
    ...steps.flatMap(({ name, title, text }, n): Block[] => [
      { kind: 'heading', level: 3, text: `${n + 1}. ${title}`, id: `first-code-${name}` },
      { kind: 'text', text },
      { kind: 'samples', id: `walk-${name}`, samples: languages.map((language) => ({ ...language, code: programs[language.id][name] })) },
    ]),
  ];
}

const tables: readonly (readonly [title: string, id: string, rows: readonly Transition<string>[]])[] = [
  ['Invoices', 'states-invoices', invoiceTransitions],
  ['Receipts', 'states-receipts', receiptTransitions],
  ['Deliveries of webhooks', 'states-deliveries', deliveryTransitions],
];

/** Rows of routes that are not in the document are omitted. */
function states(document: OpenApi): Block[] {
  const served = new Set(operationsOf(document).map(({ method, path }) => `${method} ${path}`));
  const isServed = ({ by }: Transition<string>): boolean =>
    [...by.matchAll(/`([A-Z]+ \/[^`]+)`/g)].every(([, route = '']) => served.has(route));
  return [
    { kind: 'heading', level: 2, text: 'States', id: 'states' },
    ...tables.flatMap(([title, id, rows]): Block[] => [
      { kind: 'heading', level: 3, text: title, id },
      {
        kind: 'table',
        head: ['from', 'by', 'to', 'webhook'],
        rows: rows
          .filter(isServed)
          .map(({ from, by, to, event }) => [
            from.map((one) => `\`${one}\``).join(', ') || 'nothing',
            by,
            to === 'same' ? 'the same' : `\`${to}\``,
            event === null ? 'none' : `\`${event}\``,
          ]),
      },
    ]),
    {
      kind: 'text',
      text: 'Submitting what is submitted, and voiding what is voided, answers 200 with the resource and does nothing. Everything else is 422 [`invalid_state`](/docs/errors/invalid_state); `available_actions` says what is possible. Nothing becomes `failed` because of a timeout.',
    },
  ];
}

const corrections: readonly Block[] = [
  { kind: 'heading', level: 2, text: 'Issue, correct, void: which when', id: 'which-when' },
  {
    kind: 'table',
    head: ['what is wrong', 'what to do', 'what comes of it'],
    rows: [
      ['a draft is wrong', '`PATCH` it, or void it', 'no number was taken; nothing is left to explain'],
      [
        'the authority rejected it (`failed`)',
        '`PATCH` what `fiscal.error` names, and submit it again',
        'the same number is used; or void it, and the number stays as voided',
      ],
      [
        'issued twice, or to the wrong customer',
        'void it, while nothing is paid or credited',
        'the authority annuls it; in countries without annulment a corrective carries it out',
      ],
      [
        'goods came back, or a price is lowered later',
        'a `credit_note` with `corrects`',
        'the customer owes less; several are possible, together never more than the invoice',
      ],
      [
        'quantity or price was wrong',
        'a `corrective` with `corrects`, whose lines are the difference',
        'registered like an invoice, with a number and an amount due of its own',
      ],
      ['something is paid already', 'a `credit_note`, or reverse the payments and void', 'what was paid stays in the books'],
      ['a receipt is wrong', 'void it and issue it anew', 'receipts are never changed'],
      [
        'a certificate or a setting was wrong',
        'fix it; what is `pending` goes on by itself. Where it has `failed`: an invoice by `submit` once more, a receipt by `resubmit`',
        'the document is the same',
      ],
    ],
  },
];

/** The chapters of the document’s description: a text before the first heading, then a heading of the first level each. */
export function chaptersOf(description: string): { title: string; id: string; text: string }[] {
  const [, ...parts] = `\n${description}`.split(/\n# /);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title, id: idOf(title), text: lines.join('\n').trim() };
  });
}

const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const chapters = (description: string): Block[] =>
  chaptersOf(description).flatMap(({ title, id, text }): Block[] => [
    { kind: 'heading', level: 2, text: title, id },
    { kind: 'text', text },
  ]);
