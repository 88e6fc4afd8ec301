import { type SettingChange, SettingChangedV1, type SettingType } from '@svc/contracts/audit/setting-changed';
import { topics } from '@svc/contracts/events/envelope';
import type { SeriesKind } from '@svc/contracts/issuer/series';
import type { Publication, Publisher } from '@svc/event-bus/publishing/publisher';
import type { Recorded } from '@svc/kernel';
import { changeOfEvent, changesOf } from '@svc/service';
import { evolve } from './domain/evolve.ts';
import type { IssuerState } from './domain/state.ts';
import { issuerEvents } from './issuers.ts';
import { requestedTills } from './publish-devices.ts';

/** The issuer before and after an event. */
interface Versions {
  before: IssuerState | null;
  after: IssuerState | null;
}

const INSIDE: readonly string[] = ['id', 'livemode', 'created_at', 'updated_at', 'series'];

/** Changes of the issuer, and of each of its series, for the audit, and the registrations of tills that it asks for. */
export const issuerChangesPublisher: Publisher<Versions> = {
  category: 'issuer',
  topics: [topics.setting, topics.registration],
  initialState: { before: null, after: null },
  isOwn: true,
  evolve: ({ after }, recorded) => ({ before: after, after: evolve(after, issuerEvents.decode(recorded)) }),
  publish(recorded, { before, after }) {
    // The first event holds the defaults, which nobody has changed.
    if (before === null || after === null) return [];
    const fields = Object.keys(after).filter((field) => !INSIDE.includes(field)) as (keyof IssuerState & string)[];
    const ofSeries = (Object.keys(after.series) as SeriesKind[]).map((kind) => {
      const changes = changesOf(
        Object.keys(after.series[kind]) as (keyof IssuerState['series'][SeriesKind] & string)[],
        before.series[kind],
        after.series[kind],
      );
      return published(recorded, 'series', { id: `${after.id} ${kind}`, name: kind }, changes);
    });
    const changed = [published(recorded, 'issuer', { id: after.id, name: null }, changesOf(fields, before, after)), ...ofSeries].flat();
    return [...changed, ...requestedTills(before, after)];
  },
};

function published(
  recorded: Recorded,
  type: SettingType,
  target: { id: string; name: string | null },
  changes: SettingChange['changes'],
): Publication[] {
  if (Object.keys(changes).length === 0) return [];
  const data = changeOfEvent(recorded, { type, verb: 'updated', target, changes }, 'invoicing');
  return [{ topic: topics.setting, type: SettingChangedV1.type, data }];
}
