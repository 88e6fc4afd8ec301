/** Those that are served. */
export const reportNames = ['sales', 'tax', 'customers'] as const;
export type ReportName = (typeof reportNames)[number];
