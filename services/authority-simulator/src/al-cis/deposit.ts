import { decimal, millisOf } from '@svc/kernel';
import { attribute } from './dialect.ts';
import type { Judging } from './judging.ts';
import { published, type Refusal } from './refusal.ts';
import { mayUse, taxpayerOf, taxpayerRefusal } from './registry.ts';
import { windowRefusal } from './times.ts';
import { uuidOf } from './uuid.ts';

const ALLOWED_MS = 120_000;

/** Registers a movement of cash; returns its FCDC. */
export function registerDeposit({ message, dialect, taxId, now, book, registry }: Judging): { code: string } | Refusal {
  const { part, sent, late, uuid } = message;
  const [changed, operation, till] = [attribute(part, 'ChangeDateTime'), attribute(part, 'Operation'), attribute(part, 'TCRCode')];
  const day = changed.slice(0, 10);
  const key = `${till} ${day}`;
  const refused =
    taxpayerRefusal(taxpayerOf(registry, taxId)) ??
    (late === undefined && Math.abs(millisOf(changed) - now) > ALLOWED_MS ? published(49) : undefined) ??
    windowRefusal({ issued: changed, sent, late }, now) ??
    (operation !== 'INITIAL' && decimal(attribute(part, 'CashAmt')).eq('0') ? published(51) : undefined) ??
    (mayUse(book, till, { taxId, day }) ? undefined : published(53)) ??
    (operation === 'INITIAL' && book.value('deposit', key) !== undefined ? published(56) : undefined);
  if (refused) return refused;
  const code = uuidOf(`${dialect.authority} deposit ${uuid} ${key}`);
  if (operation === 'INITIAL') book.setValue('deposit', key, { code });
  return { code };
}
