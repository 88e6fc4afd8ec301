import type { Mail } from './mail.ts';

export interface MailText {
  subject: string;
  text: string;
}

const subjects: Record<Mail['kind'], string> = {
  endpoint_disabled: 'A webhook endpoint was disabled',
  document_refused: 'The tax authority has refused a document',
  certificate_ends: 'The certificate for the tax authority ends soon',
};

const pages: Record<Mail['kind'], (id: string | null) => string> = {
  endpoint_disabled: (id) => `/app/webhooks/${id ?? ''}`,
  document_refused: (id) => `/app/${id?.startsWith('rcp_') ? 'receipts' : 'invoices'}/${id ?? ''}`,
  certificate_ends: () => '/app/settings/authority',
};

/** A mail in words. Its link leads to a page and signs nobody in. `name`: of the account. */
export function textOf({ kind, subject_id: id, detail }: Mail, { name, publicUrl }: { name: string; publicUrl: string }): MailText {
  const lines = [
    `Account: ${name}`,
    ...(detail === '' ? [] : [detail]),
    '',
    `${publicUrl}${pages[kind](id)}`,
    '',
    'You get this as an owner of the account. Within an hour others of the same kind are not sent: see Today.',
  ];
  return { subject: `${subjects[kind]}: ${name}`, text: lines.join('\n') };
}
