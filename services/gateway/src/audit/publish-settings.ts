import type { Collection } from '@svc/document-store';
import { type Audited, type BackgroundWork, publishesChanges } from '@svc/service';
import type { Gateway } from '../open-gateway.ts';
import { forgetMembers, forgottenFrom } from '../members/forget-people.ts';
import type { Member } from '../members/member.ts';
import { endOf, type Session } from '../sessions/session.ts';

/** Publishes the changes that accounts, keys, members and sessions carry. A session that has ended is deleted then. */
export function settingsWork({ accounts: { store, people, terms }, wakers, bus, clock, logger }: Gateway): BackgroundWork[] {
  const { settings } = wakers;
  const shared = (of: keyof typeof settings) => ({
    ...{ source: 'gateway', bus, clock, logger },
    started: (queue: { wake(): void }) => settings[of].watch(queue),
  });
  const of = <D extends Audited>(
    name: 'accounts' | 'keys',
    collection: Collection<D>,
    accountOf: (doc: D) => { account: string },
  ): BackgroundWork => publishesChanges({ ...shared(name), name: `settings of ${name}`, collection, accountOf });
  return [
    of('accounts', store.accounts, ({ _id }) => ({ account: _id })),
    of('keys', store.keys, ({ account, env }) => ({ account, env })),
    publishesChanges<Member>({
      ...{
        ...shared('members'),
        name: 'settings of members',
        collection: people.members,
        accountOf: ({ account }: Member) => ({ account }),
      },
      alsoDue: (members) => forgetMembers({ people, clock }, members),
      afterwards: forgottenFrom,
    }),
    publishesChanges<Session>({
      ...{ ...shared('sessions'), name: 'sessions', collection: people.sessions, accountOf: ({ account }: Session) => ({ account }) },
      afterwards: (session: Session) =>
        session.ended_at !== null || endOf(session, terms) <= clock.now() ? 'gone' : endOf(session, terms),
    }),
  ];
}
