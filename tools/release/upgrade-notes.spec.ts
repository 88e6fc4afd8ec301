import { upgradeNotes } from './upgrade-notes.mjs';
import { subjectsAfter, subjectsOf } from './upgrading.mjs';

const settings = { added: [], removed: [], changed: [] };
const subjects: [] = [];
const needed = ' Needed until 0.1.0 is not the last release.';

test('says that nothing has to be done where nothing was accepted, added or removed', () => {
  expect(upgradeNotes({ settings, breaking: [], subjects })).toEqual({
    'Before you upgrade': ['Nothing has to be done.'],
    'After a rollback': ['The release before reads all that this one has stored.'],
  });
});

test('breaks of clients and consumers stand before an upgrade, those of what is stored after a rollback, each reason once', () => {
  const accepted = [
    { id: 'openapi GET /v1/invoices response-property-max-items-unset the `a`', because: `An open list.${needed}` },
    { id: 'openapi GET /v1/receipts response-property-max-items-unset the `a`', because: `An open list.${needed}` },
    { id: 'stored invoice.InvoiceVoided /data/why written null', because: `0.1.0 shows it as empty.${needed}` },
    { id: 'stored invoice.InvoiceVoided /data/why read value "x"', because: 'No process stored it.' },
  ];
  expect(upgradeNotes({ settings, promises: { accepted, formats: [] }, breaking: ['a route is gone'], subjects })).toEqual({
    'Before you upgrade': ['a route is gone', '`GET /v1/invoices`, `GET /v1/receipts`: An open list.'],
    'After a rollback': ['`invoice.InvoiceVoided`: 0.1.0 shows it as empty.'],
  });
});

test('settings stand in both: those that are gone, new or have another default', () => {
  const changed = [{ name: 'replicas', from: '1', to: '2' }];
  const added = ['a.b.one', 'NEW', 'a.b.two'];
  expect(upgradeNotes({ settings: { added, removed: ['OLD'], changed }, breaking: [], subjects })).toEqual({
    'Before you upgrade': [
      'Gone, and without effect or refused: `OLD`.',
      'With another default: `replicas` (`1` before, now `2`).',
      'New: `a.b.{one, two}`, `NEW`.',
    ],
    'After a rollback': ['The release before does not know the new ones above: take them out again where it refuses them.'],
  });
});

test('what the release before ignores stands before an upgrade alone', () => {
  const added = ['NEW'];
  expect(upgradeNotes({ settings: { ...settings, added }, unknown: [], breaking: [], subjects })).toEqual({
    'Before you upgrade': ['New: `NEW`.'],
    'After a rollback': ['The release before reads all that this one has stored.'],
  });
});

test('the subjects of the page about upgrades that name a service stand in its entry, those of the way back after a rollback too', () => {
  const page = [
    '# Upgrading',
    '### After 0.1.0',
    '**alpha before beta**: alpha publishes what beta reads.',
    'A rollback goes the other way.',
    '**Old rows are removed** by alpha-worker.',
    '**beta needs a key** before.',
    '### 0.1.0',
    '**alpha is new.**',
  ].join('\n\n');
  const all = subjectsAfter(page, '0.1.0');
  expect(all.map(({ title }) => title)).toEqual(['alpha before beta', 'Old rows are removed', 'beta needs a key']);
  expect(upgradeNotes({ settings, breaking: [], subjects: subjectsOf(all, 'beta') })).toEqual({
    'Before you upgrade': ['In helm/UPGRADING.md: alpha before beta; beta needs a key.'],
    'After a rollback': ['In helm/UPGRADING.md: alpha before beta.'],
  });
  expect(subjectsOf(all, 'alpha')).toHaveLength(1);
  expect(subjectsOf(all, undefined)).toHaveLength(3);
  expect(subjectsAfter(page, '0.2.0')).toEqual([]);
});
