import type { Collection, DocumentStore } from '@svc/document-store';
import type { Member } from './member.ts';
import type { User } from './user.ts';

export interface PeopleStore {
  users: Collection<User>;
  members: Collection<Member>;
}

export const peopleStore = (documents: DocumentStore): PeopleStore => ({
  users: documents.collection('users', { indexes: [{ fields: ['due_at'] }, { fields: ['email_key'], unique: true }] }),
  members: documents.collection('members', {
    indexes: [
      { fields: ['due_at'] },
      { fields: ['account', 'email_key'], unique: true },
      { fields: ['account', 'deleted_at', '_id'] },
      { fields: ['user', 'deleted_at', '_id'], present: 'user' },
      { fields: ['link'], present: 'link' },
    ],
  }),
});
