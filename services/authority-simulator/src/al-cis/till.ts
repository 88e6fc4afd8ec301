import { createHash } from 'node:crypto';
import { iso } from '@svc/kernel';
import { attribute, given } from './dialect.ts';
import type { Judging } from './judging.ts';
import { published, refusal, type Refusal } from './refusal.ts';
import { listRefusal, taxpayerOf, taxpayerRefusal, tillOf, type Till } from './registry.ts';

/** Registers a till, or sets the last day of a registered one; returns its code. */
export function registerTill({ message: { part }, dialect, taxId, now, book, registry }: Judging): { code: string } | Refusal {
  const today = iso(now).slice(0, 10);
  const [unit, internalId] = [attribute(part, 'BusinUnitCode'), attribute(part, 'TCRIntID')];
  const [from, to] = [given(part, 'ValidFrom'), given(part, 'ValidTo')];
  const [software, maintainer, type] = ['SoftCode', 'MaintainerCode', 'Type'].map((name) => given(part, name));
  const code = codeOf(`${taxId} ${unit} ${internalId}`);
  const known = tillOf(book, code);
  const taxpayer = taxpayerOf(registry, taxId);
  const refused =
    taxpayerRefusal(taxpayer) ??
    listRefusal(taxpayer.units, unit, 41) ??
    listRefusal(taxpayer.software, software, 42) ??
    listRefusal(taxpayer.maintainers, maintainer, 43) ??
    daysRefusal({ from: known ? undefined : from, to, today }) ??
    (known ? changeRefusal(known, { software, maintainer, type, from }, today) : undefined);
  if (refused) return refused;
  if (!known && [software, maintainer, type, from].includes(undefined))
    return refusal(11, 'SoftCode, MaintainerCode, ValidFrom or Type does not exist, and it is the first TCR registration.');
  const till: Till = known
    ? { ...known, ...(to !== undefined && { to }) }
    : { code, taxId, unit, internalId, software, maintainer, type, from, to };
  book.setValue('till', code, till);
  return { code };

  function codeOf(text: string): string {
    const digits = createHash('sha256').update(`${dialect.authority} ${text}`).digest();
    const character = (n: number): string => String.fromCharCode(97 + ((digits[n] ?? 0) % 26));
    const number = (n: number): string => String((digits.readUInt16BE(n) % 1_000) + 1_000).slice(1);
    return `${character(0)}${character(1)}${number(2)}${character(4)}${character(5)}${number(6)}`;
  }
}

function daysRefusal({ from, to, today }: { from: string | undefined; to: string | undefined; today: string }): Refusal | undefined {
  if (from !== undefined && from < today) return published(45);
  if (to !== undefined && to < today) return published(46);
  return from !== undefined && to !== undefined && to < from ? published(47) : undefined;
}

/** Of a registered till only the last day may change; the same registration again changes nothing. */
function changeRefusal(known: Till, given: Pick<Till, 'software' | 'maintainer' | 'type' | 'from'>, today: string): Refusal | undefined {
  if (known.to !== undefined && known.to < today) return published(57);
  const changed = (['software', 'maintainer', 'type', 'from'] as const).some(
    (name) => given[name] !== undefined && given[name] !== known[name],
  );
  return changed ? published(48) : undefined;
}
