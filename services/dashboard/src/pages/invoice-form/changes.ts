import type { Resource } from '../../api/types.ts';
import { changedFields } from '../../ui/change.ts';
import { type Body, bodyOf, filledLines, type FormValues, type Head, type LineValues } from './values.ts';

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What a PATCH sends: the fields that differ from what the form began with. Its type and what it corrects stay. */
export function changesOf(before: FormValues, now: FormValues): Partial<Body> {
  const { type: _type, corrects: _corrects, ...changes } = changedFields(bodyOf(before), bodyOf(now));
  return changes;
}

/** A field that two forms differ in. `line`: which one, from 1. */
export interface Difference {
  field: string;
  line?: number;
  from: string;
  to: string;
}

/** What another person has changed, for a person to read: each field of the head, each line that differs. */
export function differences(before: FormValues, now: FormValues): Difference[] {
  const [old, body] = [bodyOf(before), bodyOf(now)] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(body)])].filter(
    (name) => name !== 'items' && !isSame(old[name], body[name]),
  );
  const head = names.map((name) =>
    name === 'customer_id'
      ? { field: name, from: before.head.customer?.name ?? '', to: now.head.customer?.name ?? '' }
      : { field: name, from: shown(old[name]), to: shown(body[name]) },
  );
  const [oldItems, items] = [bodyOf(before).items, bodyOf(now).items];
  const lines = Array.from({ length: Math.max(oldItems.length, items.length) }, (_, n) => n).filter((n) => !isSame(oldItems[n], items[n]));
  return [...head, ...lines.map((n) => ({ field: 'items', line: n + 1, from: shownItem(oldItems[n]), to: shownItem(items[n]) }))];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value)
    ? value.map((one: Resource<'AdjustmentInput'>) => shownAdjustment(one)).join(', ')
    : String(value as string | boolean);
}
const shownAdjustment = ({ percent, amount, reason }: Resource<'AdjustmentInput'>): string =>
  [percent === undefined ? amount : `${percent} %`, reason].filter(Boolean).join(' ');

function shownItem(item: Resource<'ItemInput'> | undefined): string {
  if (!item) return '';
  const taxes = item.taxes?.map(({ category, rate }) => `${category} ${rate} %`).join(' + ');
  const less = item.discounts?.map((one) => `− ${shownAdjustment(one)}`) ?? [];
  return [item.description, `${item.quantity ?? 1} × ${item.unit_price ?? '?'}`, taxes, ...less].filter(Boolean).join(', ');
}

/** The lines of a form that are not empty, and what is sent of each. */
function sentLines(values: FormValues): { line: LineValues; item: unknown }[] {
  const { items } = bodyOf(values);
  return filledLines(values).map((line, n) => ({ line, item: items[n] }));
}

/**
 * Whether `mine` on top of `theirs` drops changes of their lines: both have changed the lines, and one has added or removed some, so that it is not known which of them
 * are the same.
 */
export function dropsLines(before: FormValues, mine: FormValues, theirs: FormValues): boolean {
  const [old, own, other] = [before, mine, theirs].map((values) => bodyOf(values).items);
  return !isSame(own, old) && !isSame(other, old) && (own?.length !== old?.length || other?.length !== old?.length);
}

/** Each line that I have not changed is theirs. */
function mergedLines(before: FormValues, mine: FormValues, theirs: FormValues): LineValues[] {
  if (isSame(bodyOf(mine).items, bodyOf(before).items)) return theirs.lines;
  if (isSame(bodyOf(theirs).items, bodyOf(before).items) || dropsLines(before, mine, theirs)) return mine.lines;
  const [old, other] = [sentLines(before), sentLines(theirs)];
  return sentLines(mine).map(({ line, item }, n) => ({ ...(isSame(item, old[n]?.item) ? (other[n]?.line ?? line) : line), key: line.key }));
}

/** `mine` on top of `theirs`: a field and a line that I have not changed since `before` is theirs. */
export function merged(before: FormValues, mine: FormValues, theirs: FormValues): FormValues {
  const names = Object.keys(mine.head) as (keyof Head)[];
  const head = Object.fromEntries(names.map((name) => [name, (isSame(mine.head[name], before.head[name]) ? theirs : mine).head[name]]));
  return { head: head as unknown as Head, lines: mergedLines(before, mine, theirs) };
}
