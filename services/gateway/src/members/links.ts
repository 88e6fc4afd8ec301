import { waitGoesOn } from '@svc/kernel';
import { linkWith, newToken, tokenHash } from './tokens.ts';
import type { Member } from './member.ts';

const MINUTE_MS = 60_000;
const LIFE_MS = { invitation: 7 * 24 * 60 * MINUTE_MS, reset: 15 * MINUTE_MS };

/** A new one-time link of a member, in the place of the one before: the fields that keep it, and the address, which is stored nowhere. */
export function newLink(
  kind: 'invitation' | 'reset',
  { by, publicUrl, now }: { by: 'member' | 'operator'; publicUrl: string; now: number },
): { fields: Pick<Member, 'link' | 'link_kind' | 'link_by' | 'link_until'>; url: string } {
  const token = newToken();
  return {
    fields: { link: tokenHash(token), link_kind: kind, link_by: by, link_until: now + LIFE_MS[kind] },
    url: linkWith(publicUrl, token),
  };
}

/** Whether its link has not ended: also none that was made by a clock that was ahead, and was set back since. */
export const isLinkOpen = ({ link_kind: kind, link_until: until }: Pick<Member, 'link_kind' | 'link_until'>, now: number): boolean =>
  kind !== null && until !== null && waitGoesOn(until, now, LIFE_MS[kind]);
