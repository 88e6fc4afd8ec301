import { showDay, showExactTime, showRelative, showTime, showTimeIn } from '../format/dates.ts';

/** A moment, exact where a pointer rests. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={showExactTime(at)}>
    {showTime(at)}
  </time>
);

/** How long ago. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={showExactTime(at)}>
    {showRelative(at)}
  </time>
);

/** A time of a document, in the time zone of its issuer. */
export const TimeIn = ({ zone, at }: { zone: string; at: string }) => (
  <time dateTime={at} title={showExactTime(at)}>
    {showTimeIn(zone, at)}
  </time>
);

/** A day of the calendar. */
export const Day = ({ day }: { day: string }) => <time dateTime={day}>{showDay(day)}</time>;

/** The day of a document, which is the one of its issuer; exact where a pointer rests. */
export const IssueDay = ({ day, at }: { day: string; at: string }) => (
  <time dateTime={at} title={showExactTime(at)}>
    {showDay(day)}
  </time>
);
