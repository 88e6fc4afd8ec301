import type { DocumentStore } from '@svc/document-store';
import { documentDeadLetters } from './dead-letter.ts';

test('opens the collection of a group once for any number of letters', () => {
  const opened: string[] = [];
  const documents = { collection: (name: string) => ({ opened: opened.push(name) }) } as unknown as DocumentStore;
  const letters = documentDeadLetters(documents);
  for (let n = 0; n < 3; n += 1) expect(letters('webhooks-dispatcher')).toBe(letters('webhooks-dispatcher'));
  expect(letters('reporting')).not.toBe(letters('webhooks-dispatcher'));
  expect(opened).toEqual(['webhooks_dispatcher_dead_letters', 'reporting_dead_letters']);
});
