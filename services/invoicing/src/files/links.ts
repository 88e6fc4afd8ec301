import type { DocumentFileResource } from '@svc/contracts/document/file';
import { CLOSED_LINK, claimsText, LINKS } from '@svc/contracts/document/link';
import type { DocumentKind } from '@svc/contracts/documents';
import type { Format } from '@svc/document-files/render';
import { DomainError, iso, type Clock, type Env } from '@svc/kernel';
import type { KeyRing } from '@svc/service';

/** A file that is made of a document. */
export interface FileRef {
  format: Format;
  kind: DocumentKind;
  env: Env;
  account: string;
  id: string;
}

interface LinkOptions {
  /** The same in all replicas. */
  secrets: Pick<KeyRing, 'sign' | 'hasSigned'>;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
  clock: Pick<Clock, 'now'>;
}

const LIFE_MS = 15 * 60_000;
const PURPOSE = 'links of files';
/** Begins the tokens of this service: by it the gateway knows where to ask. */
export const FILES_PATH = `${LINKS}invoicing.`;

type Claims = [format: Format, kind: DocumentKind, env: Env, account: string, id: string, expires: number];

/** Signed links: `<origin>/files/invoicing.<claims>.<signature>`. What a link names was readable for who asked for it; it is open to anyone for 15 minutes. */
export function createLinks({ secrets, publicUrl, clock }: LinkOptions) {
  return {
    linkTo({ format, kind, env, account, id }: FileRef): DocumentFileResource {
      const expires = clock.now() + LIFE_MS;
      const claims = claimsText([format, kind, env, account, id, expires] satisfies Claims);
      const url = `${publicUrl}${FILES_PATH}${claims}.${secrets.sign(PURPOSE, claims)}`;
      return { object: 'file', url, expires_at: iso(expires) };
    },

    /** `token`: what follows `FILES_PATH`. Throws not_found if it was not signed here, was changed or has expired. */
    opened(token: string): FileRef {
      const [claims = '', signature = '', ...more] = token.split('.');
      if (more.length > 0 || !secrets.hasSigned(PURPOSE, claims, signature)) throw closed();
      const [format, kind, env, account, id, expires] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
      if (clock.now() >= expires) throw closed();
      return { format, kind, env, account, id };
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

const closed = (): DomainError => new DomainError('not_found', CLOSED_LINK);
