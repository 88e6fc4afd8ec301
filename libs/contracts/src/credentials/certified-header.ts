import type { Env } from '@svc/kernel';

/**
 * The certificate for live documents of an account: the subject of its own, which is for all authorities, else those for which the installation has one. One that has
 * ended counts: what waits for the next is sent then.
 */
export type Certified = { subject: string } | readonly string[];

/** Looks it up, where fiscal-submission is in this process. */
export type CertifiedOf = (of: { account: string; env: Env }) => Promise<Certified>;

/** The header in which fiscal-submission gives it to the gateway, and the gateway to invoicing, which knows no certificates. Neither is passed on from outside or to it. */
export const CERTIFIED_HEADER = 'x-svc-certified';

/** Subjects have characters that headers cannot. */
export const certifiedText = (of: Certified): string => Buffer.from(JSON.stringify(of)).toString('base64url');

/** Of the header; undefined for none: it is not known. */
export const certifiedIn = (header: unknown): Certified | undefined =>
  typeof header === 'string' ? (JSON.parse(Buffer.from(header, 'base64url').toString()) as Certified) : undefined;
