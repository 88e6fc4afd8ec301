export { collections, eventsIn, servedProjections } from './registrations.ts';
export { documentStatus } from './document-types.ts';
export { encryptedStore } from './encrypted-store.ts';
export { issuerFacts } from './issuer/facts.ts';
export { InvoicingModule } from './invoicing.module.ts';
export { seriesRoutes } from './numbering/admin-routes.ts';
export { documentRoutes } from './publishing/admin-routes.ts';
export { storedBytesOf, storedBytesRows } from './storage/stored-bytes.ts';
export { SERIES, type SeriesContext } from './numbering/series-numbers.ts';
