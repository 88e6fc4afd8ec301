import { t } from './t.ts';

test('a value that turns the direction of writing is set apart, and does not end that itself', () => {
  expect(t('members.resetAbout', { name: 'Ana' })).toMatch(/^Ana sets/);
  expect(t('members.resetAbout', { name: 'Ana\u202e' })).toMatch(/^\u2068Ana\u202e\u2069 sets/);
  expect(t('members.resetAbout', { name: '\u05d0\u2069\u202e' })).toMatch(/^\u2068\u05d0\u202e\u2069 sets/);
});
