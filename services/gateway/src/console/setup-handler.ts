import { NO_CERTIFICATE, ofOtherOwner, type Setup } from '@svc/contracts/issuer/setup';
import { type Clock, millisOf } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../principals/session/principal-of-session.ts';
import type { Principal } from '../principals/principal.ts';
import { unavailable } from '../principals/inside/unavailable.ts';
import { type Ask, listOf } from './ask.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { sessionOf } from './session-of.ts';

type Step = Setup['steps'][number];
export interface Issuer {
  livemode: boolean;
  authority: string | null;
  tax_id: string | null;
  setup: Setup;
}

export interface SetupParts {
  ask: Ask;
  clock: Pick<Clock, 'now'>;
}

/** What live documents need; whoever is signed in sees it. */
export function setupHandler({ addressOf, ...parts }: SetupParts & { addressOf(request: FastifyRequest): string }) {
  return {
    async 'GET /console/setup'(request) {
      const as = reader(principalOf(sessionOf(request), 'live', addressOf(request)));
      const { status, body } = await parts.ask<Issuer>(request, '/issuer', {}, as);
      if (status !== 200) throw unavailable();
      return { live: await wholeSetup(parts, request, body, as) };
    },
  } satisfies Partial<ConsoleHandlers>;
}

/** A principal that reads what the setup is made of. */
export const reader = (principal: Principal): Principal => ({
  ...principal,
  permissions: ['settings:read', 'invoices:read', 'receipts:read'],
  costs: new Map(),
});

/** The setup that the issuer says of itself, by which submissions are judged, with the certificate and the first document, which invoicing does not know. */
export async function wholeSetup(
  { ask, clock }: SetupParts,
  request: FastifyRequest,
  { livemode, authority, tax_id, setup }: Issuer,
  as: Principal,
): Promise<Setup> {
  const [certificate, ...documents] = await Promise.all([
    ask<{ expires_at: string; subject: string; error?: { details?: object } }>(request, '/fiscal-credentials', {}, as),
    ...['/invoices', '/receipts'].map((path) => listOf(ask, request, [path, { fiscal_status: 'registered', per_page: '1' }], as)),
  ]);
  // A test issuer without one signs with the one that is published for it.
  const hasOwn = certificate.status === 200;
  const hasCertificate = hasOwn ? millisOf(certificate.body.expires_at) > clock.now() : !livemode && certificate.status === 404;
  const hasDocument = documents.some((list) => list !== undefined && list.meta.total > 0);
  // Where the issuer has none, the service names the authorities whose documents the installation sends with its own.
  const isInstalled = authority !== null && Object.hasOwn(certificate.body.error?.details ?? {}, authority);
  const ofAnother = livemode && hasOwn ? ofOtherOwner({ authority, tax_id }, certificate.body.subject) : [];
  const isCertified = authority === 'sandbox' || ((hasCertificate || isInstalled) && ofAnother.length === 0);
  const isMissing = !isCertified && !hasOwn && authority !== null;
  const steps: Step[] = [
    ...setup.steps,
    // Which one it needs is known with its authority. Where one has ended, nothing is refused: what is submitted waits for the next.
    { id: 'certificate', done: isCertified, missing: isMissing ? [NO_CERTIFICATE] : ofAnother },
    // Nothing is missing for it that the other steps do not name.
    { id: 'first_document', done: hasDocument, missing: [] },
  ];
  return { ready: steps.slice(0, -1).every(({ done }) => done), steps };
}
