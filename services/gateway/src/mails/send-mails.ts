import { hash } from 'node:crypto';
import { type Collection, startJobs } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import { type BackgroundWork, Counter, jobsWork, type Logger } from '@svc/service';
import type { AccountsContext } from '../accounts/context.ts';
import { isActive } from '../members/member.ts';
import { usersOf } from '../members/names.ts';
import type { PeopleStore } from '../members/store.ts';
import type { Mail } from './mail.ts';
import type { Message, Smtp } from './smtp.ts';

export interface MailsOptions {
  rows: Collection<Mail>;
  people: PeopleStore;
  store: Pick<AccountsContext['store'], 'accounts'>;
  publicUrl: string;
  smtp: Smtp;
  clock: Clock;
  logger: Logger;
}

const MINUTE_MS = 60_000;
/** After each failed try; then it is given up. */
const RETRY_MS = [1, 5, 30, 120, 1_440].map((minutes) => minutes * MINUTE_MS);
/** In one batch: each may wait for the server for as long as it allows. */
const AT_ONCE = 2;
const MOST_OWNERS = 20;

const sent = new Counter({ name: 'svc_mails_total', help: 'Mails to owners of accounts, by what came of them', labelNames: ['result'] });
for (const result of ['sent', 'failed', 'given_up']) sent.inc({ result }, 0);

/**
 * Sends what is due, one at a time of all replicas; what fails is tried again five times within 27 hours, for those who have
 * not got it. A crash after sending sends it again under the same id.
 */
export function mailsWork({ rows, people, store, publicUrl, smtp, clock, logger }: MailsOptions): BackgroundWork {
  async function ownersOf(account: string): Promise<string[]> {
    const all = await Array.fromAsync(people.members.find({ account, deleted_at: null }, { limit: 1_000 }));
    const owners = all.filter((member) => member.role === 'owner' && isActive(member)).slice(0, MOST_OWNERS);
    return [...(await usersOf({ people }, owners)).values()].map(({ email }) => email).filter((email) => email !== '');
  }

  /**
   * Sends it to each owner who has not got it, and keeps who has: an address that is refused costs the others nothing. Resolves to the row as it is by then, undefined
   * where another has changed it meanwhile, and whether an owner got none.
   */
  async function send(mail: Mail): Promise<{ row: Mail | undefined; isWhole: boolean }> {
    const account = await store.accounts.get(mail.account);
    if (!account || account.suspended) return { row: mail, isWhole: true };
    const text = textOf(mail, { name: account.name, publicUrl });
    let [row, isWhole]: [Mail | undefined, boolean] = [mail, true];
    for (const to of await ownersOf(mail.account)) {
      const id = hash('sha256', `${mail._id} ${mail.detail} ${to}`, 'hex').slice(0, 32);
      if (row.sent?.includes(id)) continue;
      if (!(await isSent(mail, { to, ...text, id }))) {
        isWhole = false;
        continue;
      }
      [row] = await rows.claim({ _id: row._id, version: row.version }, { set: { sent: [...(row.sent ?? []), id] } });
      if (!row) break;
    }
    return { row, isWhole };
  }

  async function isSent({ account, kind, tries }: Mail, message: Message): Promise<boolean> {
    const { sendMail } = await import('./smtp.ts');
    try {
      await sendMail(smtp, message);
      return true;
    } catch (error) {
      logger.warn({ err: error, account, kind, tries: tries + 1 }, 'a mail was not sent');
      return false;
    }
  }

  async function handle(mails: Mail[]): Promise<void> {
    for (const mail of mails) {
      const { _id, version, kept_until } = mail;
      if (mail.done) {
        if (kept_until > clock.now()) await rows.claim({ _id, version }, { set: { due_at: kept_until } });
        else await rows.write([{ delete: _id, version }]);
        continue;
      }
      const { row, isWhole } = await send(mail);
      if (!row) continue;
      const after = isWhole ? null : (RETRY_MS[mail.tries] ?? null);
      sent.inc({ result: isWhole ? 'sent' : after === null ? 'given_up' : 'failed' });
      const tries = mail.tries + 1;
      const set = after === null ? { done: true, due_at: Math.max(kept_until, clock.now()) } : { tries, due_at: clock.now() + after };
      await rows.claim({ _id, version: row.version }, { set });
    }
  }
  return jobsWork('mails', rows, clock, () => startJobs({ name: 'due:mails', collection: rows, clock, logger, handle, batch: AT_ONCE }));
}

export interface MailText {
  subject: string;
  text: string;
}

const subjects: Record<Mail['kind'], string> = {
  endpoint_disabled: 'A webhook endpoint was disabled',
  document_refused: 'The tax authority has refused a document',
  document_ends: 'A document has no fiscal code, and its legal end is near',
  certificate_ends: 'The certificate for the tax authority ends soon',
};

const pageOfDocument = (id: string | null): string => `/app/${id?.startsWith('rcp_') ? 'receipts' : 'invoices'}/${id ?? ''}`;
const pages: Record<Mail['kind'], (id: string | null) => string> = {
  endpoint_disabled: (id) => `/app/webhooks/${id ?? ''}`,
  document_refused: pageOfDocument,
  document_ends: pageOfDocument,
  certificate_ends: () => '/app/settings/authority',
};

/** A mail in words. Its link leads to a page, and is no sign-in. `name`: of the account. */
function textOf({ kind, subject_id: id, detail }: Mail, { name, publicUrl }: { name: string; publicUrl: string }): MailText {
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
