import type { Setup } from '@svc/contracts/issuer/setup';
import { principalOf } from '../principals/session/principal-of-session.ts';
import type { Ask, Rows } from './ask.ts';
import type { ConsoleHandlers } from './handlers.ts';
import { sessionOf } from './session-of.ts';

type Step = Setup['steps'][number];
type Missing = Step['missing'][number];

interface Issuer {
  legal_name: string | null;
  tax_id: string | null;
  address: object | null;
  country: string | null;
  authority: string | null;
  series: Record<string, object>;
}

const of = (field: string, rule: string, message: string): Missing => ({ field, rule, message });

/** What live documents need, from the issuer, the certificate and the documents; whoever is signed in sees it. */
export function setupHandler(ask: Ask): ConsoleHandlers<'GET /console/setup'> {
  return {
    async 'GET /console/setup'(request) {
      const view = sessionOf(request);
      const live = principalOf(view, 'live', request.ip);
      const reader = { ...live, permissions: ['settings:read', 'invoices:read', 'receipts:read'], costs: new Map() };
      const [issuer, certificate, ...documents] = await Promise.all([
        ask<Issuer>(request, '/issuer', {}, reader),
        ask(request, '/fiscal-credentials', {}, reader),
        ...['/invoices', '/receipts'].map((path) => ask<Rows>(request, path, { fiscal_status: 'registered', per_page: '1' }, reader)),
      ]);
      const hasDocument = documents.some(({ status, body }) => status === 200 && body.meta.total > 0);
      return { live: setupOf(issuer.body, certificate.status === 200, hasDocument) };
    },
  };
}

function setupOf(issuer: Issuer, hasCertificate: boolean, hasDocument: boolean): Setup {
  const absent = (['legal_name', 'tax_id', 'address', 'country'] as const).filter((field) => issuer[field] === null);
  const isReal = issuer.authority !== null && issuer.authority !== 'sandbox';
  const steps = [
    step(
      'issuer',
      absent.map((field) => of(field, 'required', `Set ${field.replace('_', ' ')} of the issuer.`)),
    ),
    step('numbers', Object.keys(issuer.series).length > 0 ? [] : [of('series', 'required', 'Set the series of numbers.')]),
    step('authority', isReal ? [] : [of('authority', 'required', 'Choose the tax authority that live documents are registered at.')]),
    step('certificate', hasCertificate ? [] : [of('certificate', 'required', 'Put the certificate for the tax authority.')]),
    step('first_document', hasDocument ? [] : [of('document', 'required', 'Issue a first document.')]),
  ];
  return { ready: steps.slice(0, -1).every(({ done }) => done), steps };
}

const step = (id: Step['id'], missing: Missing[]): Step => ({ id, done: missing.length === 0, missing });
