import { createHash } from 'node:crypto';
import { certificateOf, seriesOf, verifyNumbering } from './numbering.mjs';

const HEADER = 'series,series_key,number,seq,document_id,issued_at,fate';
const row = (seq: number, document = `inv_${seq}`, number = `INV-${seq}`): string =>
  `INV,INV.2026,${number},${seq},${document},2026-01-10T09:00:00.000Z,registered`;
const csv = (...rows: string[]): string => `\uFEFF${[HEADER, ...rows].join('\r\n')}\r\n`;

const event = (type: string, data: object) => ({ type, data });
const taken = (seq: number, issue_date = '2026-01-10') =>
  event('NumberTaken', { document: `inv_${seq}`, seq, number: `INV-${seq}`, issue_date });
const raised = (seq: number, more: object = {}) => event('NumbersRaised', { document: `raised:${seq}`, seq, ...more });
const exported = (...events: object[]): string =>
  [...events.map((one, revision) => ({ series_key: 'INV.2026', revision: String(revision), ...one })), { events: events.length }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
const verify = (certificate: string, series: string, period?: { from: string; to: string }) =>
  verifyNumbering(certificateOf(certificate), seriesOf(series), period);

test('the hash is of the data lines, each with a line feed', () => {
  const expected = createHash('sha256')
    .update(`${row(1)}\n${row(2)}\n`)
    .digest('hex');
  expect(certificateOf(csv(row(1), row(2))).sha256).toBe(expected);
});

test('every number from the first to the last is there; what came before or after is not asked for', () => {
  expect(verify(csv(row(2), row(3)), exported(taken(1), taken(2), taken(3), taken(4)))).toEqual({
    series: [{ series_key: 'INV.2026', numbers: 2, from: 2, to: 3, restored: [] }],
    problems: [],
  });
});

test('with the period of the certificate its first and its last number, and those of a series that it lacks, are asked for too', () => {
  const january = { from: '2026-01-01', to: '2026-01-31' };
  const series = exported(taken(1, '2025-12-31'), taken(2), taken(3), taken(4), taken(5, '2026-02-01'));
  expect(verify(csv(row(2), row(3), row(4)), series, january).problems).toEqual([]);
  expect(verify(csv(row(3)), series, january).problems).toEqual([
    'INV.2026: INV-2 of inv_2 is not in the certificate',
    'INV.2026: INV-4 of inv_4 is not in the certificate',
  ]);
  expect(verify(csv(), series, january).problems).toHaveLength(3);
});

test('numbers that a raise of a series without numbers skips are named, back to where the count begins', () => {
  const restored = (...events: object[]) => verify(csv(row(41)), exported(...events, taken(41))).series[0]?.restored;
  expect(restored(raised(40, { after: 0 }))).toEqual([[1, 40]]);
  expect(restored(raised(40))).toEqual([[1, 40]]); // until 0.3: as release 0.1.0 stores it.
  expect(restored(raised(40, { after: 29 }))).toEqual([[30, 40]]);
});

test('numbers that a restored series skips are named, also before the first and behind the last one; a refusal uses none', () => {
  const refused = event('NumberRefused', { document: 'inv_9', seq: 1 });
  const series = exported(taken(1), refused, raised(3), raised(5), taken(6));
  for (const certificate of [csv(row(1), row(6)), csv(row(6)), csv(row(1))])
    expect(verify(certificate, series)).toMatchObject({ series: [{ restored: [[2, 5]] }], problems: [] });
  expect(verify(csv(row(1)), exported(taken(1), taken(2), raised(5)))).toMatchObject({ series: [{ restored: [] }] });
});

test('a document that reports know, and the restored series has lost, is no difference', () => {
  const ranges = [
    [2, 2],
    [4, 5],
  ];
  expect(verify(csv(row(1), row(3), row(6)), exported(taken(1), raised(5), taken(6)))).toMatchObject({
    series: [{ numbers: 3, restored: ranges }],
    problems: [],
  });
});

test.each([
  ['lacks a number', csv(row(1), row(3)), 'INV-2 of inv_2 is not in the certificate'],
  ['has a number twice', csv(row(1), row(1), row(2), row(3)), 'a number twice'],
  ['has one that the series does not have', csv(row(1), row(2), row(3), row(4)), 'the series has no number 4'],
  ['names another document', csv(row(1), row(2, 'inv_7'), row(3)), 'the document inv_7, and inv_2 in the series'],
  ['shows another number', csv(row(1), row(2, 'inv_2', 'INV-02'), row(3)), 'the number INV-02, and INV-2 in the series'],
])('a certificate that %s differs', (_, certificate, problem) => {
  const { problems } = verify(certificate, exported(taken(1), taken(2), taken(3)));
  expect(problems.join()).toContain(problem);
});

test.each([
  ['without its last line', exported(taken(1)).split('\n').slice(0, 1).join('\n')],
  ['with a line less', exported(taken(1), taken(2), taken(3)).split('\n').toSpliced(1, 1).join('\n')],
  ['with an event less', exported(taken(1), taken(3))],
])('an export %s is refused', (_, text) => expect(() => seriesOf(text)).toThrow());

test('another file is no certificate', () => expect(() => certificateOf('key,total\r\n')).toThrow('does not begin'));
