import { millisOf, plusDays, type Day } from '@svc/kernel';

const dayNumber = (day: Day): number => millisOf(`${day}T00:00:00Z`) / 86_400_000;

/** The ISO 8601 week of a day, `2026-W47`: a week begins on Monday and belongs to the year of its Thursday. */
export function isoWeek(day: Day): string {
  const sinceMonday = (((dayNumber(day) + 3) % 7) + 7) % 7; // 1970-01-01 was a Thursday
  const thursday = plusDays(day, 3 - sinceMonday);
  const year = thursday.slice(0, 4);
  const week = Math.floor((dayNumber(thursday) - dayNumber(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
