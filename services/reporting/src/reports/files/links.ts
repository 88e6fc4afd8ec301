import type { DocumentFileResource } from '@svc/contracts/document/file';
import { CLOSED_LINK, claimsText, LINKS as FILES } from '@svc/contracts/document/link';
import type { ReportName } from '@svc/contracts/report/rows';
import { DomainError, iso, type Clock } from '@svc/kernel';
import type { KeyRing } from '@svc/service';
import type { Question } from '../report.ts';

/** A report as it was asked for. */
export interface FileRef {
  report: ReportName;
  question: Question;
}

export interface LinkOptions {
  /** The same in all replicas. */
  secrets: Pick<KeyRing, 'sign' | 'hasSigned'>;
  /** Public origin, without a slash at its end. */
  publicUrl: string;
  clock: Pick<Clock, 'now'>;
}

const LIFE_MS = 15 * 60_000;
const PURPOSE = 'links of reports';
/** Begins the tokens of this service: by it the gateway knows where to ask. */
export const FILES_PATH = `${FILES}reporting.`;

/** Nest's injection token of the `Links`. */
export const LINKS = Symbol('ReportLinks');

type Claims = [
  format: 'csv',
  report: ReportName,
  env: string,
  account: string,
  question: Omit<Question, 'account' | 'env'>,
  expires: number,
];

/** Signed links: `<origin>/files/reporting.<claims>.<signature>`, open to anyone for 15 minutes. The claims are the whole question, so nothing is stored. */
export function createLinks({ secrets, publicUrl, clock }: LinkOptions) {
  return {
    linkTo({ report, question: { account, env, ...question } }: FileRef): DocumentFileResource {
      const expires = clock.now() + LIFE_MS;
      const claims = claimsText(['csv', report, env, account, question, expires] satisfies Claims);
      return { object: 'file', url: `${publicUrl}${FILES_PATH}${claims}.${secrets.sign(PURPOSE, claims)}`, expires_at: iso(expires) };
    },

    /** `token`: what follows `FILES_PATH`. Throws not_found if it was not signed here, was changed or has expired. */
    opened(token: string): FileRef {
      const [claims = '', signature = '', ...more] = token.split('.');
      if (more.length > 0 || !secrets.hasSigned(PURPOSE, claims, signature)) throw closed();
      const [, report, env, account, question, expires] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
      if (clock.now() >= expires) throw closed();
      return { report, question: { ...question, account, env: env as Question['env'] } };
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

const closed = (): DomainError => new DomainError('not_found', CLOSED_LINK);
