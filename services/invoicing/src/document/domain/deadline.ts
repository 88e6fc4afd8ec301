import { iso, millisOf, plusDays, startOfDay, dayIn } from '@svc/kernel';
import { LATE_REASON, rulesOfAuthority } from '@svc/tax-rules';
import type { NumberedDocument } from './state.ts';

const DAY_MS = 86_400_000;

type Submitted = Pick<NumberedDocument, 'status' | 'issue' | 'parties' | 'fiscal'> & { late_reason?: string | null };

/** When its authority stops taking it by the reason for which it is late (ISO 8601). undefined: it sets no end, or the document is registered or void. */
export function deadlineOf({ status, issue, parties, fiscal, late_reason = null }: Submitted): string | undefined {
  const isOver = status === 'voided' || fiscal.status === 'registered' || fiscal.status === 'cancelled';
  return isOver ? undefined : lateUntil(parties.issuer.authority, issue.issued_at, late_reason);
}

/** The same of any document of the authority that was issued then. */
export function lateUntil(authority: string, issuedAt: string, lateReason: string | null): string | undefined {
  const window = rulesOfAuthority(authority)?.window;
  if (!window) return undefined;
  if (lateReason !== LATE_REASON) return iso(millisOf(issuedAt) + window.days * DAY_MS);
  const { until_day: day, zone } = window.no_internet;
  const firstOfMonth = `${dayIn(zone, millisOf(issuedAt)).slice(0, 7)}-01`;
  const nextMonth = `${plusDays(firstOfMonth, 31).slice(0, 7)}-01`;
  return iso(startOfDay(zone, plusDays(nextMonth, day)) - 1);
}
