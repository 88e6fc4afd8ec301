/** Values of released charts that there are no longer, by chart and path, and what to give instead: `{ gateway: { 'settings.old': 'settings.new' } }`. Each stays here for one more release. */
export const goneValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** The schema of a value that is gone: whoever gives it reads what to give instead, in place of "not allowed". */
export const goneValue = (instead: string): object => ({ const: `gone: give ${instead} instead` });
