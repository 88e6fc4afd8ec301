import type { Recorded } from '@svc/kernel';
import { isSent } from '../../e2e/testing/webhooks.ts';
import type { Evidence, Resource } from './evidence.ts';

/** What must hold at rest, whatever faults were injected. Each returns its violations. */
export const invariants = {
  'no correct request is refused': ({ errors }) => errors,

  'all comes to rest': ({ resources, acknowledged, deadLetters }) => [
    ...[...resources.values()].filter(isMoving).map(({ id, status }) => `${id} is still ${status}`),
    ...acknowledged
      .filter(({ id, submitted }) => submitted && isDraft(resources.get(id)))
      .map(({ id }) => `${id} was submitted and is a draft`),
    ...deadLetters.map((deadLetter) => `dead letter ${deadLetter}`),
  ],

  'nothing acknowledged is lost': ({ acknowledged, resources }) =>
    acknowledged.flatMap(({ id, number, note, voided, deleted }) => {
      const now = resources.get(id);
      if (!now) return [`${id} is gone`];
      return [
        ...(number !== undefined && now.number !== number ? [`${id} was acknowledged with ${number} and has ${now.number}`] : []),
        ...(note !== undefined && now.metadata['note'] !== note
          ? [`${id} was acknowledged with ${note} and has ${now.metadata['note']}`]
          : []),
        ...(voided && now.status !== 'voided' ? [`${id} was acknowledged as void and is ${now.status}`] : []),
        ...(deleted && !now.deleted_at ? [`${id} was acknowledged as deleted and is not`] : []),
      ];
    }),

  'one number each, 1 to n without a gap': ({ streams, resources }) => {
    const taken = [...streams].filter(([stream]) => stream.startsWith('series-')).flatMap(([, events]) => numberProblems(events));
    const numbers = [...resources.values()].flatMap(({ number }) => number ?? []);
    const stored = [...streams.values()].flat().filter(({ type }) => type === 'NumberTaken');
    const known = new Map(stored.map(({ data }) => [(data as NumberTaken).document, (data as NumberTaken).number]));
    return [
      ...taken,
      ...twice(numbers).map((number) => `two documents have ${number}`),
      ...[...resources.values()]
        .filter(({ id, number }) => (known.get(id) ?? null) !== (number ?? null))
        .map(({ id, number }) => `${id} has ${number}, its series gave it ${known.get(id)}`),
    ];
  },

  'one registration for each document, of one record': ({ ledger, resources }) => {
    const codes = new Map(ledger.map(({ document_number, code }) => [document_number, code]));
    const registered = [...resources.values()].filter(isRegistered);
    return [
      ...ledger
        .filter(({ received }) => new Set(received.map(({ record_sha256 }) => record_sha256)).size > 1)
        .map(({ document_number }) => `${document_number} was sent as different records`),
      ...registered
        .filter(({ number, fiscal_code }) => codes.get(number ?? '') !== fiscal_code)
        .map(
          ({ id, number, fiscal_code }) => `${id} ${number} has the code ${fiscal_code}, the authority gave it ${codes.get(number ?? '')}`,
        ),
      ...(ledger.length === registered.length
        ? []
        : [`${registered.length} documents are registered, the authority knows ${ledger.length}`]),
      ...ledger
        .filter(({ document_number, voided_at }) => {
          const known = registered.find(({ number }) => number === document_number);
          return (known?.status === 'voided') !== (voided_at !== null);
        })
        .map(({ document_number, voided_at }) => `${document_number}: the authority says voided at ${voided_at}`),
    ];
  },

  'no document fails for a lost reply': ({ streams, resources }) =>
    [...streams].flatMap(([stream, events]) => {
      const rejected = events.some(({ type }) => type === 'InvoiceRejected' || type === 'ReceiptRejected');
      const resource = resources.get(idOf(stream));
      return rejected && resource?.metadata['simulate'] === undefined ? [`${idOf(stream)} was rejected, nobody asked for that`] : [];
    }),

  'one resource for each Idempotency-Key': ({ keys, resources, acknowledged }) => {
    const made = Map.groupBy(resources.values(), ({ metadata }) => metadata['key'] ?? '');
    return [...keys].flatMap((key) => {
      const ids = (made.get(key) ?? []).map(({ id }) => id);
      const known = acknowledged.filter((one) => one.key === key).map(({ id }) => id);
      return ids.length === 1 && known.every((id) => id === ids[0])
        ? []
        : [`${key} made ${ids.join(' and ') || 'nothing'}, acknowledged ${known.join()}`];
    });
  },

  'no payment is lost or double, and no invoice has more payments or credits than its total': ({ acknowledged, resources, payments }) => {
    const invoices = [...resources.values()].filter(({ type }) => type === 'standard');
    const known = new Map(acknowledged.map((one) => [one.id, one.payments ?? []]));
    return invoices.flatMap(({ id, status, total, amount_paid = 0, amount_credited = 0 }) => {
      const found = payments.get(id) ?? [];
      const notes = [...resources.values()].filter((one) => one.type === 'credit_note' && one.corrects === id && isRegistered(one));
      const [paid, credited] = [sumOf(found.map(({ amount }) => amount)), sumOf(notes.map((note) => note.total))];
      const [ids, answered] = [found.map((one) => one.id).sort(), (known.get(id) ?? []).toSorted()];
      return [
        ...(ids.join() === answered.join() ? [] : [`${id} has the payments ${ids.join()}, acknowledged ${answered.join()}`]),
        ...(paid === amount_paid && credited === amount_credited
          ? []
          : [`${id} says ${amount_paid} paid and ${amount_credited} credited, its payments are ${paid} and its credit notes ${credited}`]),
        ...(status === 'voided' || Math.max(paid, credited) <= total
          ? []
          : [`${id} of ${total} has ${paid} paid and ${credited} credited`]),
      ];
    });
  },

  'every event reaches the subscriber': ({ streams, accepted }) => {
    const got = new Set(accepted.map(({ id }) => id));
    return [...streams].flatMap(([stream, events]) =>
      events.filter((event) => isSent(event) && !got.has(`evt_${event.id}`)).map(({ type }) => `${type} of ${idOf(stream)} never came`),
    );
  },

  'sequences have no hole, and repeats are the same bytes': ({ streams, accepted }) => {
    const byResource = Map.groupBy(accepted, ({ resource }) => resource);
    const holes = [...streams].flatMap(([stream, events]) => {
      if (!/^(invoice|receipt|customer)-/.test(stream)) return [];
      const sent = events.filter(isSent);
      const expected = sent.map((event) => Number(event.revision) + (stream.startsWith('receipt-') ? 0 : 1));
      const got = [...new Set((byResource.get(idOf(stream)) ?? []).map(({ sequence }) => sequence))].sort((a, b) => a - b);
      return expected.join() === got.join() ? [] : [`${idOf(stream)}: sequences ${expected.join()} expected, ${got.join()} came`];
    });
    const bytes = Map.groupBy(accepted, ({ id }) => id);
    const changed = [...bytes]
      .filter(([, all]) => new Set(all.map(({ raw }) => raw)).size > 1)
      .map(([id]) => `${id} came with different bytes`);
    return [...holes, ...changed];
  },

  'lists show the states': ({ lists, resources }) => {
    const listed = Object.values(lists).flat();
    return [
      ...twice(listed.map(({ id }) => id)).map((id) => `${id} is listed twice`),
      ...listed
        .filter((one) => JSON.stringify(one) !== JSON.stringify(resources.get(one.id)))
        .map(({ id }) => `${id} is listed as it is not`),
      ...[...resources.keys()].filter((id) => !listed.some((one) => one.id === id)).map((id) => `${id} is not listed`),
    ];
  },

  'reports show what is registered': ({ resources, sales }) => {
    const counted = [...resources.values()].filter((one) => isRegistered(one) && one.status !== 'voided');
    const total = counted.reduce((sum, one) => sum + Math.round(one.total * 100) * (one.type === 'credit_note' ? -1 : 1), 0);
    return sales.documents === counted.length && Math.round(sales.total * 100) === total
      ? []
      : [`${counted.length} documents of ${total / 100}, the report says ${sales.documents} of ${sales.total}`];
  },
} satisfies Record<string, (evidence: Evidence) => string[]>;

export type Invariant = keyof typeof invariants;

/** Violations by invariant; {} when all hold. */
export function violations(evidence: Evidence): Partial<Record<Invariant, string[]>> {
  const found = Object.entries(invariants).map(([name, check]) => [name, check(evidence)] as const);
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0));
}

interface NumberTaken {
  document: string;
  seq: number;
  number: string;
  issue_date: string;
}

function numberProblems(series: Recorded[]): string[] {
  const taken = series.map(({ data }) => data as NumberTaken);
  return [
    ...taken.filter(({ seq }, n) => seq !== n + 1).map(({ number, document }) => `${document} took ${number} out of turn`),
    ...twice(taken.map(({ document }) => document)).map((document) => `${document} took two numbers`),
    ...taken
      .filter(({ issue_date }, n) => issue_date < (taken[n - 1]?.issue_date ?? ''))
      .map(({ number, issue_date }) => `${number} of ${issue_date} follows a later date`),
  ];
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
const idOf = (stream: string): string => stream.slice(stream.lastIndexOf('.') + 1);
const twice = (list: string[]): string[] => [...new Set(list.filter((one, n) => list.indexOf(one) !== n))];
const isMoving = ({ object, status, fiscal }: Resource): boolean =>
  object !== 'customer' && (status === 'submitting' || status === 'voiding' || (object === 'receipt' && !isSettled(fiscal)));
const isSettled = (fiscal: Resource['fiscal']): boolean => fiscal?.status === 'registered' || fiscal?.status === 'cancelled';
const isDraft = (resource: Resource | undefined): boolean => resource?.status === 'draft';
const isRegistered = ({ fiscal }: Resource): boolean => fiscal?.status === 'registered' || fiscal?.status === 'cancelled';
