import { invalid, invalidState, notFound } from './domain-error.ts';

test('domain errors name the fields that are wrong and the available actions', () => {
  expect(notFound('invoice')).toMatchObject({ code: 'not_found', message: expect.stringContaining('no such invoice') });
  const details = { 'items.0.quantity': ['must be above 0'] };
  expect(invalid(details)).toMatchObject({ code: 'validation_error', details, message: expect.stringContaining('items.0.quantity') });
  expect(invalidState('Submitting', 'void', ['duplicate']).message).toContain('available_actions: duplicate.');
  expect(invalidState('Voiding', 'draft', [], 'delete it instead.').message).toContain('delete it instead. available_actions: none.');
});
