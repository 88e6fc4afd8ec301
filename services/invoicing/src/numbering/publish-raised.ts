import { SettingChangedV1 } from '@svc/contracts/audit/setting-changed';
import { topics } from '@svc/contracts/events/envelope';
import { NumbersRaisedV1, type RaisedNumbers } from '@svc/contracts/series/raised';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { idOf } from '@svc/kernel';
import { changeOfEvent } from '@svc/service';
import { NUMBERS_RAISED, type NumbersRaised } from './domain/numbering.ts';

/** That an operator has raised a series: for the audit, and which numbers that skips. All else of a series is published with its documents. */
export const raisedSeriesPublisher: Publisher<null> = {
  category: 'series',
  topics: [topics.setting, topics.series],
  initialState: null,
  evolve: () => null,
  isWhole: () => true,
  publish(recorded) {
    if (recorded.type !== NUMBERS_RAISED.type) return [];
    const { seq, after = null, issue_date } = recorded.data as NumbersRaised;
    const name = idOf(recorded.stream);
    const change = { type: 'series', verb: 'updated', target: { id: name, name }, changes: { seq: { from: null, to: seq } } } as const;
    const skipped: RaisedNumbers = { series_key: name, after_seq: after, to_seq: seq, issue_date };
    return [
      { topic: topics.setting, type: SettingChangedV1.type, data: changeOfEvent(recorded, change, 'invoicing') },
      { topic: topics.series, type: NumbersRaisedV1.type, data: skipped },
    ];
  },
};
