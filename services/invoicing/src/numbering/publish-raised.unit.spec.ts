import { parseEvent } from '@svc/contracts/testing/parse';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import type { Recorded } from '@svc/kernel';
import { raisedSeriesPublisher } from './publish-raised.ts';

const recorded = (type: string, data: object): Recorded => ({
  ...{ id: '01hqx0000000000000000000aa', stream: 'series-live.acct_1.INV.2026', revision: 4n, recordedAt: 0, bytes: 0, position: 9n },
  ...{ type, data, metadata: { v: 1, account: 'acct_1', env: 'live', actor: { type: 'system', id: 'operator' } } },
});

const published = (data: object) => {
  const raised = recorded('NumbersRaised', data);
  return publicEvents('invoicing', raised, raisedSeriesPublisher.publish(raised, null)).map((event) => parseEvent(JSON.stringify(event)));
};

test.each([
  ['behind the last number of the series', { after: 4 }, 4],
  ['behind no number', { after: 0 }, 0],
  ['by release 0.1.0', {}, null], // until 0.3
])('which numbers a raise skips, %s', (_, stored, after_seq) => {
  expect(published({ document: 'raised:7', seq: 7, issue_date: '2026-03-01', ...stored })[1]).toMatchObject({
    type: 'invoicing.numbers-raised.v1',
    subject: 'INV.2026',
    data: { series_key: 'INV.2026', after_seq, to_seq: 7, issue_date: '2026-03-01' },
  });
});

test('that an operator has raised a series is in the audit, and numbers are not', () => {
  const [event] = published({ document: 'raised:7', seq: 7, issue_date: '2026-03-01' });
  expect(event).toMatchObject({
    data: { actor: { type: 'operator', id: 'operator' }, action: 'series.updated', changes: { seq: { from: null, to: 7 } } },
  });
  expect(raisedSeriesPublisher.publish(recorded('NumberTaken', {}), null)).toEqual([]);
});
