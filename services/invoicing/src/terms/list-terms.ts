import type { DocumentStore, Filter } from '@svc/document-store';
import { startExclusiveSubscription, type Subscription, type SubscriptionContext } from '@svc/event-store';
import { createReadBarrier } from '@svc/event-store/subscription/read-barrier';
import { untilShown } from '@svc/service/lists/as-of';
import { findTerms, type Asking } from './find.ts';
import { foldTerms, type TermsRows, type TermsSource, termsIndexes, termsKinds, type TermsKind, type TermsRow } from './terms.ts';

export const TERMS = Symbol('ListTerms');

/** Names the subscription. A new shape of the rows is a new name. */
export const TERMS_NAME = 'terms_v2';
/** Names the collection of a kind. */
export const termsName = (kind: TermsKind): string => `${kind}_${TERMS_NAME}`;

/** The terms by which lists find resources for a text. Other lists do not wait for them. */
export function createTerms(documents: DocumentStore, context: SubscriptionContext, sources: Record<TermsKind, TermsSource>) {
  const rows = Object.fromEntries(
    termsKinds.map((kind) => [kind, documents.collection<TermsRow>(termsName(kind), { indexes: termsIndexes(kind) })]),
  ) as TermsRows;
  const { store, clock, checkpoints } = context;
  let running: Subscription | undefined;
  const subscription: Pick<Subscription, 'waitFor' | 'position'> = {
    position: () => running?.position() ?? 0n,
    waitFor: async (position, withinMs) => (await running?.waitFor(position, withinMs)) ?? false,
  };
  const { asOf } = createReadBarrier({ store, subscription, clock, readable: () => checkpoints.get(TERMS_NAME) });
  return {
    /** Keeps them up to date, in one replica at a time. */
    start: (): Subscription =>
      (running = startExclusiveSubscription({
        ...{ ...context, name: TERMS_NAME, saveWithin: 0 },
        handle: foldTerms(rows, sources, store),
      })),
    /**
     * The filter of a list for the text `q`, which holds everything that was acknowledged before the call, or what `Svc-As-Of` of the reply says. Throws
     * `service_unavailable` where the terms are not up to date after 10 s, as while they are built, and `invalid_request` where too many match.
     */
    async filter(kind: TermsKind, asking: Asking): Promise<Filter> {
      await untilShown(asking.reply, { asOf });
      if (asking.list) await untilShown(asking.reply, asking.list);
      return { _id: { $in: await findTerms(rows[kind], kind, asking) } };
    },
  };
}

export type ListTerms = ReturnType<typeof createTerms>;
