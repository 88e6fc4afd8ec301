import type { DocumentFileResource } from '@svc/contracts/document/file';
import { CLOSED_LINK, claimsText, type LinkClaims } from '@svc/contracts/document/link';
import { type Clock, DomainError, iso, waitGoesOn } from '@svc/kernel';
import type { KeyRing } from '../secrets/key-ring.ts';

export interface SignedLinksOptions {
  /** The same in all replicas. */
  secrets: Pick<KeyRing, 'sign' | 'hasSigned'>;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
  clock: Pick<Clock, 'now'>;
}

const LIFE_MS = 15 * 60_000;

/**
 * Signed links: `<origin>/files/<service>.<claims>.<signature>`. What a link names was readable for who asked for it; it is open to anyone for 15 minutes, also where the
 * clock is set back meanwhile. The claims are all that the file is made of, so nothing is stored. `path`: `/files/<service>.`, by which the gateway knows where to ask.
 * `purpose`: of the signature, in the words that released links have.
 */
export function signedLinks<Claims extends LinkClaims>(
  { secrets, publicUrl, clock }: SignedLinksOptions,
  { path, purpose }: { path: string; purpose: string },
) {
  return {
    linkTo(...named: Claims): DocumentFileResource {
      const expires = clock.now() + LIFE_MS;
      const claims = claimsText([...named, expires]);
      return { object: 'file', url: `${publicUrl}${path}${claims}.${secrets.sign(purpose, claims)}`, expires_at: iso(expires) };
    },

    /** `token`: what follows `path`. Throws not_found if it was not signed here, was changed or has expired. */
    opened(token: string): Claims {
      const [claims = '', signature = '', ...more] = token.split('.');
      if (more.length > 0 || !secrets.hasSigned(purpose, claims, signature)) throw closed();
      const named = JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown[];
      if (!waitGoesOn(Number(named.pop()), clock.now(), LIFE_MS)) throw closed();
      return named as Claims;
    },
  };
}

const closed = (): DomainError => new DomainError('not_found', CLOSED_LINK);

/**
 * Headers of what a link opens without a key: no cache on the way keeps it, no other site learns of it, and nothing of it runs in this origin. A PDF is shown
 * in pages of this origin alone, and loads nothing; anything else is saved, not shown.
 */
export const fileHeaders = ({ name, type }: { name: string; type: string }) => ({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': isShown(type) ? "default-src 'none'; frame-ancestors 'self'" : 'sandbox',
  'content-type': type,
  'content-disposition': `${isShown(type) ? 'inline' : 'attachment'}; filename="${name}"`,
});

const isShown = (type: string): boolean => type === 'application/pdf';
