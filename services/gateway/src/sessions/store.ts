import type { Collection, DocumentStore, Job } from '@svc/document-store';
import { type PeopleStore, peopleStore } from '../members/store.ts';
import type { Session } from './session.ts';
import type { Tries } from './tries.ts';

/** A browser in which a user has signed in with the password. `_id`: SHA-256 of its cookie's value, base64url. */
export interface KnownBrowser extends Job {
  /** As of a session. */
  owner: string;
}

/** Collections of users, their memberships and sessions. */
export interface SessionStore extends PeopleStore {
  sessions: Collection<Session>;
  browsers: Collection<KnownBrowser>;
  tries: Collection<Tries>;
}

const due = { fields: ['due_at'] };

export const sessionStore = (documents: DocumentStore): SessionStore => ({
  ...peopleStore(documents),
  sessions: documents.collection('sessions', {
    indexes: [due, { fields: ['owner', 'ended_at', 'must_enter_code', '_id'] }, { fields: ['session'] }],
  }),
  browsers: documents.collection('known_browsers', { indexes: [due] }),
  tries: documents.collection('sign_in_tries', { indexes: [due] }),
});
