import type { DocumentStore } from '@svc/document-store';
import { documentDeadLetters } from './dead-letter.ts';

test('opens the collection of a group once for any number of dead letters', () => {
  const opened: string[] = [];
  const documents = { collection: (name: string) => ({ opened: opened.push(name) }) } as unknown as DocumentStore;
  const deadLetters = documentDeadLetters(documents);
  for (let n = 0; n < 3; n += 1) expect(deadLetters('webhooks-dispatcher')).toBe(deadLetters('webhooks-dispatcher'));
  expect(deadLetters('reporting')).not.toBe(deadLetters('webhooks-dispatcher'));
  expect(opened).toEqual(['webhooks_dispatcher_dead_letters', 'reporting_dead_letters']);
});
