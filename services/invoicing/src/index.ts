export { collections } from './collections.ts';
export { documentStatus } from './document-status.ts';
export { encryptedStore } from './encrypted-store.ts';
export { InvoicingModule } from './invoicing.module.ts';
export { eventsIn } from './publishers.ts';
export { seriesRoutes } from './restore/admin-routes.ts';
export { servedProjections } from './served-projections.ts';
export { storedBytesOf, storedBytesRows } from './storage/stored-bytes.ts';
export { SERIES, type SeriesContext } from './restore/series-numbers.ts';
