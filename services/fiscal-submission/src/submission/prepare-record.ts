import { iso, type EventMetadata } from '@svc/kernel';
import { NoKey } from '../signing/signer.ts';
import type { ChainLink, Link } from '../chain/domain/link.ts';
import type { Authority, Completion } from './authority.ts';
import type { Context } from './context.ts';
import type { Command } from './domain/decide.ts';
import type { PreparingStep } from './domain/next-step.ts';
import type { Unprepared } from './domain/facts.ts';
import type { Preparing } from './domain/state.ts';

/** How often a record is tried again that waits for a certificate or its chain, in milliseconds. */
export const HELD_MS = 60_000;

export interface PreparingTarget {
  stream: string;
  authority: Authority;
  metadata: Omit<EventMetadata, 'v'>;
}

/**
 * Runs one step of a submission whose record is not whole. Returns the time, in milliseconds since 1970, before which it is not tried again; null: it goes on.
 * A crash after any append leaves a step that finds what was made: the link is in its chain, and a signature over the same text is the same.
 */
export async function prepareRecord(
  context: Context,
  target: PreparingTarget,
  state: Preparing & { unprepared: Unprepared },
  step: PreparingStep,
): Promise<number | null> {
  const { submissions, clock } = context;
  const at = iso(clock.now());
  const { authority, stream, metadata } = target;
  if (step.do === 'expire') {
    await submissions.handle(stream, () => ({ do: 'expire', absence: null, at }), metadata);
    return null;
  }
  const { round } = state;
  const refusal = authority.check(state);
  if (refusal) {
    await submissions.handle(stream, () => ({ do: 'refuse', error: refusal, at }), metadata);
    return null;
  }
  if (step.do === 'link') {
    const wait = await waitForOpenChain(context, target, state);
    if (wait !== null) return wait;
    const link = await linkOf(context, target, state, at);
    const isWhole = authority.needs.signature !== 'message';
    const prepared = isWhole ? completed(authority, state.unprepared, { link, signature: null }) : null;
    await submissions.handle(stream, () => ({ do: 'prepare', round, link, prepared, at }), metadata);
    return null;
  }
  try {
    const signature = authority.signed
      ? await context.signer.sign({ ...metadata, authority: authority.id }, authority.signed(draftOf(state.unprepared)))
      : null;
    const prepared = completed(authority, state.unprepared, { link: state.link, signature });
    await submissions.handle(stream, () => ({ do: 'prepare', round, link: state.link, prepared, at }), metadata);
    return null;
  } catch (error) {
    if (!(error instanceof NoKey)) throw error;
    const { code, message } = error;
    return hold(context, target, round, { error: { code, message }, fixable: 'credentials' });
  }
}

type Held = Pick<Extract<Command, { do: 'hold' }>, 'error' | 'fixable'>;

/** The submission says for what it waits; returns until when. */
async function hold(
  { submissions, clock, timeScale }: Context,
  { stream, metadata }: PreparingTarget,
  round: number,
  why: Held,
): Promise<number> {
  const now = clock.now();
  const next = now + HELD_MS / timeScale;
  await submissions.handle(stream, () => ({ do: 'hold', round, ...why, next_attempt_at: iso(next), at: iso(now) }), metadata);
  return next;
}

const CHAIN_CLOSED: Held = {
  error: {
    code: 'chain_closed',
    message:
      'The system was restored from a backup, and the operator has not said yet how the chain of records goes on. What waits is then sent.',
  },
  fixable: 'setup',
};

async function waitForOpenChain(
  context: Context,
  target: PreparingTarget,
  { unprepared, round, issuer_tax_id: tax_id }: Preparing & { unprepared: Unprepared },
): Promise<number | null> {
  const { account, env } = target.metadata;
  const stream = unprepared.chain?.stream ?? '';
  const isClosed = await context.closedChains.isClosed({ stream, account, env, authority: target.authority.id, tax_id });
  return isClosed ? hold(context, target, round, CHAIN_CLOSED) : null;
}

const draftOf = ({ draft }: Unprepared): object => JSON.parse(draft) as object;

const completed = (authority: Authority, unprepared: Unprepared, completion: Completion) => ({
  ...authority.complete(draftOf(unprepared), completion),
  deadline: unprepared.deadline,
});

function linkOf(
  { chains }: Pick<Context, 'chains'>,
  { authority, metadata }: PreparingTarget,
  { document_id, round, unprepared }: Preparing & { unprepared: Unprepared },
  now: string,
): Promise<ChainLink> {
  const { chain } = unprepared;
  const link = authority.link?.bind(authority);
  if (!chain || !link) throw new Error(`${document_id} has no chain for ${authority.id}`);
  const draft = draftOf(unprepared);
  const of = { document: document_id, round, operation: 'register' as const };
  const make = (previous: ChainLink['previous'], at: string): Link => {
    const made = link(draft, previous, at);
    // A record that cannot be made takes no link: those behind it would wait for it.
    if (authority.needs.signature !== 'message')
      authority.complete(draft, { link: { ...of, position: 1, at, previous, ...made }, signature: null });
    return made;
  };
  return chains.take({ chain: chain.stream, seen: chain.seen, of, now, metadata, make });
}
