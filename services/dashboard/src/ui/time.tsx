import { showExactTime, showRelative, showTime } from '../format/dates.ts';

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
