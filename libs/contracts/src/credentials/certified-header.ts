import type { Env } from '@svc/kernel';

/**
 * For which authorities there is a certificate for live documents of an account: `all` by its own, else those for which the installation has one. One that has ended
 * counts: what waits for the next is sent then.
 */
export type Certified = 'all' | readonly string[];

/** Looks it up, where fiscal-submission is in this process. */
export type CertifiedOf = (of: { account: string; env: Env }) => Promise<Certified>;

/** The header in which fiscal-submission gives it to the gateway, and the gateway to invoicing, which knows no certificates. Neither is passed on from outside or to it. */
export const CERTIFIED_HEADER = 'x-svc-certified';

export const certifiedText = (of: Certified): string => JSON.stringify(of);

/** Of the header; undefined for none: it is not known. */
export const certifiedIn = (header: unknown): Certified | undefined =>
  typeof header === 'string' ? (JSON.parse(header) as Certified) : undefined;
