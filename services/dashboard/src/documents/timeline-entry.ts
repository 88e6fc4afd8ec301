import type { Resource } from '../api/types.ts';
import { showDay } from '../format/dates.ts';
import { showMilliseconds, showMoney } from '../format/numbers.ts';
import { showAction } from '../texts/show-action.ts';
import { named, t } from '../texts/t.ts';
import type { Tone } from '../ui/badge.tsx';

export type Entry = Resource<'TimelineEntry'>;

/** An entry as it is shown. */
interface Shown {
  title: string;
  text?: string | undefined;
  tone: Tone;
  /** The page of what it is about. */
  to?: string;
}

type History = Resource<'HistoryEntry'> & { changes: { fiscal?: Resource<'Fiscal'>; number?: string; void?: Resource<'InvoiceVoid'> } };

const historyTones: Record<string, Tone> = {
  ...{ registered: 'good', rejected: 'bad', delayed: 'warn', void_refused: 'bad', payment_recorded: 'good', payment_reversed: 'warn' },
};

/** Names of fields that a person sees. What can be done follows from the rest. */
const seenOf = (changes: object): string[] => Object.keys(changes).filter((name) => !name.endsWith('available_actions'));

function history({ type, changes }: History): Shown {
  const title = named('history', type);
  const tone = historyTones[type] ?? 'calm';
  const { error = null } = changes.fiscal ?? {};
  if (error && (type === 'rejected' || type === 'delayed')) return { title, tone, text: `${error.message} (${error.code})` };
  if (type === 'registered') return { title, tone, text: changes.fiscal?.code ?? undefined };
  if (type === 'numbered') return { title, tone, text: changes.number };
  if (type === 'void_requested') return { title, tone, text: changes.void?.reason ?? undefined };
  if (type === 'void_refused') return { title, tone, text: changes.void?.error?.message };
  if (type === 'updated' && 'amount_credited' in changes) return { title: t('history.credited'), tone };
  if (type === 'updated')
    return {
      title,
      tone,
      text: seenOf(changes)
        .map((name) => named('field', name))
        .join(', '),
    };
  return { title, tone };
}

const attemptTones: Record<string, Tone> = { registered: 'good', rejected: 'bad', deferred: 'warn', unknown: 'warn' };

function attempt({ kind, outcome, error, duration_ms: ms }: Resource<'AttemptEntry'>): Shown {
  const title = `${named('attempt.kind', kind)}: ${named('attempt.outcome', outcome ?? 'none')}`;
  const took = ms === null ? undefined : showMilliseconds(ms);
  return { title, tone: attemptTones[outcome ?? ''] ?? 'info', text: error ? `${error.message} (${error.code})` : took };
}

const deliveryTones: Record<string, Tone> = { succeeded: 'good', failed: 'bad', pending: 'info' };

type Delivery = Resource<'Delivery'> & { endpoint: Pick<Resource<'WebhookEndpoint'>, 'url' | 'description' | 'deleted_at'> };

/** Its description, or where it is. One that was deleted says so. */
function endpointName({ url, description, deleted_at: deleted }: Delivery['endpoint']): string {
  const name = description ?? (URL.canParse(url) ? new URL(url).host : url);
  return deleted ? t('timeline.endpointDeleted', { name }) : name;
}

function delivery({ id, endpoint_id, event_type: type, status, attempts, endpoint }: Delivery): Shown {
  return {
    title: `${t('timeline.delivery', { type })}: ${named('delivery', status)}`,
    text: [endpointName(endpoint), attempts.at(-1)?.error].filter(Boolean).join(' · '),
    tone: status === 'pending' && attempts.length > 0 ? 'warn' : (deliveryTones[status] ?? 'calm'),
    to: `/app/webhooks/${endpoint_id}/deliveries/${id}`,
  };
}

const payment = ({ amount, currency, paid_at: day, method, reference }: Resource<'Payment'>): Shown => ({
  title: t('timeline.payment', { amount: showMoney(amount, currency) }),
  text: [showDay(day), method && named('method', method), reference].filter(Boolean).join(' · '),
  tone: 'good',
});

/** What an entry says, in the words of the catalogue. One of a kind that is new keeps the title that the interface gives it. */
export function shownOf({ kind, title, detail }: Entry): Shown {
  if (kind === 'history') return history(detail as unknown as History);
  if (kind === 'attempt') return attempt(detail as unknown as Resource<'AttemptEntry'>);
  if (kind === 'delivery') return delivery(detail as unknown as Delivery);
  if (kind === 'payment') return payment(detail as unknown as Resource<'Payment'>);
  if (kind === 'audit') return { title: showAction(title), tone: 'info' };
  return { title, tone: 'info' };
}

const isUnseen = ({ kind, detail }: Entry): boolean =>
  kind === 'history' && detail['type'] === 'updated' && seenOf((detail as unknown as History).changes).length === 0;

/**
 * A payment is in the history, too; it is shown as the payment, which says how it was paid. One that was reversed since is in the history alone. A change of nothing
 * that a person sees, as when a credit note is on its way, is not shown.
 */
export function withoutDoubles(entries: readonly Entry[]): Entry[] {
  const paid = new Set(entries.filter(({ kind }) => kind === 'payment').map(({ at }) => at));
  const isDouble = ({ kind, at, detail }: Entry): boolean => kind === 'history' && detail['type'] === 'payment_recorded' && paid.has(at);
  return entries.filter((entry) => !isDouble(entry) && !isUnseen(entry));
}
