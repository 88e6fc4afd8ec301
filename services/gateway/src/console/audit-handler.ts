import type { AuditEntryResource } from '@svc/contracts/console/resources';
import type { Collection } from '@svc/document-store';
import { nextTurn } from '@svc/kernel';
import { listEnvelope } from '@svc/service';
import { namesOfActors } from '../actors/actor-names.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { StoredEntry } from '../audit/store.ts';
import { entryResource, filterOf, namedIn } from '../audit/read-audit.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { pageOf } from '../page-of.ts';

export function auditHandler(context: ConsoleContext, rows: Collection<AuditEntry>) {
  return {
    async 'GET /console/audit'(request) {
      const { account } = request.identity;
      const { found, total } = await pageOf(rows, filterOf(account, request.query), request.query, request.turn);
      return listEnvelope({ publicUrl: context.publicUrl, request, total, data: await shown(context, account, found) });
    },
  } satisfies Partial<ConsoleHandlers>;
}

const MOST_OF_TARGET = 200;

/** The newest entries about something of an account. */
export const auditOf =
  (context: ConsoleContext, rows: Collection<AuditEntry>) =>
  async (account: string, target: string): Promise<AuditEntryResource[]> => {
    const { found } = await pageOf(rows, filterOf(account, { target }), { page: 1, per_page: MOST_OF_TARGET }, () => nextTurn(account));
    return shown(context, account, found);
  };

async function shown(context: ConsoleContext, account: string, entries: readonly StoredEntry[]): Promise<AuditEntryResource[]> {
  const names = await namesOfActors(context, account, namedIn(entries));
  return entries.map((entry) => entryResource(entry, names));
}
