export * from './catalog.ts';
export * from './documents.ts';
export * from './page.ts';
export * from './report.ts';
export * from './webhooks.ts';
