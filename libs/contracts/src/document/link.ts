/** Signed links of all services begin with it: `/files/<service>.<claims>.<signature>`. */
export const LINKS = '/files/';

/** What a link says first, whatever its service adds. */
export type LinkClaims = [format: string, kind: string, env: string, account: string, ...more: unknown[]];

/** Claims as they stand in a link: base64url of JSON. */
export const claimsText = (claims: LinkClaims): string => Buffer.from(JSON.stringify(claims)).toString('base64url');

/** One answer for every link that does not open: it says nothing about what there is. */
export const CLOSED_LINK = 'This link does not open, or not any more. Ask for a new one by the API.';

/** The account that a link names, by its token, which follows the service: `<claims>.<signature>`; undefined for one of another form. Nothing is verified. */
export function accountOfLink(token: string): string | undefined {
  try {
    const account = (JSON.parse(Buffer.from(token.split('.', 1).join(), 'base64url').toString()) as unknown[])[3];
    return typeof account === 'string' && /^acct_[0-9a-z]{26}$/.test(account) ? account : undefined;
  } catch {
    return undefined;
  }
}
