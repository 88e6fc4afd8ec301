import type { DocumentStore } from '@svc/document-store';
import { documentDeadLetters } from './dead-letter.ts';

test('the collection of a group is opened once, however many letters there are', () => {
  const opened: string[] = [];
  const documents = { collection: (name: string) => ({ opened: opened.push(name) }) } as unknown as DocumentStore;
  const letters = documentDeadLetters(documents);
  for (let n = 0; n < 3; n += 1) expect(letters('webhooks-dispatcher')).toBe(letters('webhooks-dispatcher'));
  expect(letters('reporting')).not.toBe(letters('webhooks-dispatcher'));
  expect(opened).toEqual(['webhooks_dispatcher_dead_letters', 'reporting_dead_letters']);
});
