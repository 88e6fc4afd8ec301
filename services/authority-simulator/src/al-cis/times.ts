import { millisOf } from '@svc/kernel';
import { published, refusal, type Refusal } from './refusal.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** An assumption: the specification says "more than allowed time in minutes", with no figure. */
const ALLOWED_MS = 2 * MINUTE;

/** Days after which a message of each kind of late delivery is refused. `BUSINESSNEEDS` of Montenegro: an assumption. */
const days: Record<string, number> = { SERVICE: 2, TECHNICALERROR: 2, BUSINESSNEEDS: 2, BOUNDBOOK: 11 };

/** Refuses a message whose sender's clock is wrong. */
export const clockRefusal = (sent: string, now: number): Refusal | undefined =>
  Math.abs(millisOf(sent) - now) > ALLOWED_MS ? published(2) : undefined;

export interface Times {
  /** When the document was issued, or the cash was moved. */
  issued: string;
  sent: string;
  /** SubseqDelivType */
  late: string | undefined;
}

/** Refuses a time in the future, one that is not the literal time of sending where the message is not late, and one beyond its window. */
export function windowRefusal({ issued, sent, late }: Times, now: number): Refusal | undefined {
  const age = now - millisOf(issued);
  if (age < -ALLOWED_MS) return refusal(11, 'The date and time is in the future.');
  if (late === undefined)
    return issued === sent ? undefined : refusal(11, 'The date and time is not equal to SendDateTime, and there is no SubseqDelivType.');
  const within = late === 'NOINTERNET' ? isOfPeriod(issued, sent) : age <= (days[late] ?? 0) * DAY;
  return within ? undefined : refusal(11, `The date and time is too far in the past for ${late}.`);
}

/** The same month, or the month before until the 10th: by the days that stand in the message. */
function isOfPeriod(issued: string, sent: string): boolean {
  const [month, now] = [monthsOf(issued), monthsOf(sent)];
  return month === now || (month === now - 1 && Number(sent.slice(8, 10)) <= 10);
}

const monthsOf = (time: string): number => Number(time.slice(0, 4)) * 12 + Number(time.slice(5, 7));
