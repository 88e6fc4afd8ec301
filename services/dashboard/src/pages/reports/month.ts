/** The first and the last day of a month `2026-11`; undefined where the text is none. */
export function monthOf(month: string): { from: string; to: string } | undefined {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined || number === undefined) return undefined;
  // Day 0 of the next month.
  const last = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate();
  return { from: `${month}-01`, to: `${month}-${last}` };
}

/** The month before the one of `day`, which is the one to be closed. */
export function lastMonth(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
}
