import type { AuditEntryResource } from '@svc/contracts/console/resources';
import type { Collection } from '@svc/document-store';
import { nextTurn } from '@svc/kernel';
import { listEnvelope } from '@svc/service';
import type { AuditEntry } from '../audit/entry.ts';
import type { StoredEntry } from '../audit/store.ts';
import { entryResource, filterOf, namedIn, type Names } from '../audit/read-audit.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { pageOf } from '../page-of.ts';
import { namesOfMembers } from '../members/names.ts';

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
  const names = await namesOf(context, account, namedIn(entries));
  return entries.map((entry) => entryResource(entry, names));
}

/** Of members and keys of the account, those of the past included. */
async function namesOf({ people, store }: ConsoleContext, account: string, ids: readonly string[]): Promise<Names> {
  const wanted = { _id: { $in: [...ids] } };
  const limit = ids.length + 1;
  const members = await namesOfMembers({ people }, account, ids);
  const keys = (await Array.fromAsync(store.keys.find(wanted, { limit }))).filter((key) => key.account === account);
  return new Map([...members, ...keys.map(({ _id, name }) => [_id, name] as const)]);
}
