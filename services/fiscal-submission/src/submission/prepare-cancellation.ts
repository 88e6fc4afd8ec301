import { iso } from '@svc/kernel';
import type { Context } from './context.ts';
import type { Cancelling } from './domain/state.ts';
import { HELD_MS, type PreparingTarget } from './prepare-record.ts';

/** A link is looked for from here on: it was taken behind what the chain had when it was requested, or else behind that of the registration. */
const seenBy = ({ chain }: Cancelling['cancellation'], of: { stream: string; position: number }): string =>
  chain?.stream === of.stream ? chain.seen : String(of.position - 1);

/**
 * Returns until when it waits for a chain that is closed after a restore, in milliseconds since 1970; null: it goes on.
 * Makes the cancellation's own record of the chain, behind whatever is last in it. A crash after any append leaves a step that finds the link that was taken.
 */
export async function prepareCancellation(
  { chains, closedChains, submissions, clock, timeScale }: Context,
  target: PreparingTarget,
  state: Cancelling,
): Promise<number | null> {
  const { authority, stream, metadata } = target;
  const { registration, cancellation, document_id } = state;
  const { cancellations } = authority;
  if (!cancellations || !registration.chain) throw new Error(`${document_id} has no chain for ${authority.id}`);
  const { account, env } = metadata;
  const { issuer_tax_id: tax_id } = state;
  const named = { stream: registration.chain.stream, account, env, authority: authority.id, tax_id };
  if (await closedChains.isClosed(named)) return clock.now() + HELD_MS / timeScale;
  const now = iso(clock.now());
  const of = { document: document_id, round: cancellation.sequence, operation: 'cancel' as const };
  const link = await chains.take({
    ...{ chain: registration.chain.stream, seen: seenBy(cancellation, registration.chain), now, metadata },
    of,
    make: (previous, at) => {
      const made = cancellations.link(registration, previous, at);
      // A record that cannot be made takes no link: those behind it would wait for it.
      cancellations.record(registration, { ...of, position: 1, at, previous, ...made });
      return made;
    },
  });
  const record = cancellations.record(registration, link);
  const prepare = { do: 'prepare_cancellation' as const, cancellation: cancellation.sequence, link, record, at: now };
  await submissions.handle(stream, () => prepare, metadata);
  return null;
}
