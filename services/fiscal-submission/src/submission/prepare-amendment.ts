import { iso } from '@svc/kernel';
import type { Context } from './context.ts';
import type { Amending } from './domain/state.ts';
import { HELD_MS, type PreparingTarget } from './prepare-record.ts';

/**
 * Makes the record of an amendment, behind whatever is last in its chain. Returns until when it waits for a chain that is closed after a restore, in
 * milliseconds since 1970; null: it goes on. A crash after any append leaves a step that finds the link that was taken.
 */
export async function prepareAmendment(
  { chains, closedChains, submissions, clock, timeScale }: Context,
  { authority, stream, metadata }: PreparingTarget,
  { registration, amendment, document_id, issuer_tax_id: tax_id }: Amending,
): Promise<number | null> {
  const { amendments } = authority;
  const makeLink = authority.link?.bind(authority);
  if (!amendments || !makeLink || !registration.chain) throw new Error(`${document_id} has no chain for ${authority.id}`);
  const { account, env } = metadata;
  const { stream: chain } = registration.chain;
  if (await closedChains.isClosed({ stream: chain, account, env, authority: authority.id, tax_id }))
    return clock.now() + HELD_MS / timeScale;
  const now = iso(clock.now());
  const draft = JSON.parse(amendment.draft) as object;
  const recordOf = (link: Parameters<typeof amendments.record>[1]) =>
    amendments.record(draft, link, registration.amendmentRefused === true);
  const of = { document: document_id, round: amendment.n, operation: 'amend' as const };
  const link = await chains.take({
    ...{ chain, seen: amendment.seen, of, now, metadata },
    make: (previous, at) => {
      const made = makeLink(draft, previous, at);
      // A record that cannot be made takes no link: those behind it would wait for it.
      recordOf({ ...of, position: 1, at, previous, ...made });
      return made;
    },
  });
  const prepare = { do: 'prepare_amendment' as const, amendment: amendment.n, link, record: recordOf(link), at: now };
  await submissions.handle(stream, () => prepare, metadata);
  return null;
}
