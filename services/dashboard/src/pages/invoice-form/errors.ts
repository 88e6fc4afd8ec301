import { ApiError } from '@svc/client/console';
import { forPeople } from '../../texts/for-people.ts';
import { filledLines, type FormValues } from './values.ts';

/** Messages of a line by its field, such as `unit_price` or `taxes.0.rate`. */
export type LineErrors = Readonly<Record<string, string>>;

/** Messages of the interface where they belong. */
export interface FormErrors {
  head: Readonly<Record<string, string>>;
  /** By the key of the line. */
  lines: ReadonlyMap<number, LineErrors>;
}

export const noErrors: FormErrors = { head: {}, lines: new Map() };

/** Puts the messages of a refusal at their fields. `sent`: the form as it was sent, whose empty lines were absent. */
export function errorsOf(error: unknown, sent: FormValues): FormErrors {
  if (!(error instanceof ApiError)) return noErrors;
  const head: Record<string, string> = {};
  const lines = new Map<number, Record<string, string>>();
  const filled = filledLines(sent);
  for (const [name, messages] of Object.entries(error.details)) {
    const text = forPeople(messages.join(' '));
    const [, n, field] = /^items\.(\d+)(?:\.(.*))?$/.exec(name) ?? [];
    const line = n === undefined ? undefined : filled[Number(n)];
    if (!line) head[name] = text;
    else lines.set(line.key, { ...lines.get(line.key), [field ?? 'description']: text });
  }
  return { head, lines };
}

export const hasAny = ({ head, lines }: FormErrors): boolean => Object.keys(head).length > 0 || lines.size > 0;

/** The fields of a page where messages stand, with what is below them: of the document and of each line. `discounts.`: only what is below it. */
export interface ShownFields {
  head: readonly string[];
  line: readonly string[];
}

export const fieldsOfForm: ShownFields = {
  head: [
    ...['customer_id', 'currency', 'series', 'issue_date', 'due_date', 'supply_date', 'payment_method', 'exchange_rate', 'notes'],
    ...['items', 'prices_include_tax', 'rounding', 'discounts.', 'charges.'],
  ],
  line: ['description', 'product_id', 'quantity', 'unit', 'unit_price', 'taxes', 'tax_rate', 'discounts.', 'charges.'],
};

/** Whether each message has its field on the page; else the refusal is shown as a whole, too. */
export function hasFieldForAll({ head, lines }: FormErrors, shown: ShownFields): boolean {
  const areShown = (names: readonly string[], fields: readonly string[]): boolean =>
    names.every((name) => fields.some((field) => name === field || name.startsWith(field.endsWith('.') ? field : `${field}.`)));
  return areShown(Object.keys(head), shown.head) && [...lines.values()].every((line) => areShown(Object.keys(line), shown.line));
}

/** The message of a line that stands at one of these fields or below it. */
export const messageAt = (errors: LineErrors | undefined, ...fields: string[]): string | undefined =>
  Object.entries(errors ?? {}).find(([name]) => fields.some((field) => name === field || name.startsWith(`${field}.`)))?.[1];
