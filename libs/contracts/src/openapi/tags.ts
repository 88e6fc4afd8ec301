/** The tag of the requests that webhook endpoints receive: apart from the routes, so that generators do not put both into one class. */
export const CALLBACKS = 'callbacks';

/** What a tag groups. That of a route is the first segment of its path. */
export const tags: Record<string, string> = {
  invoices: 'Create invoices, credit notes and correctives, submit them to the tax authority, void them, record their payments.',
  receipts: 'Create receipts at the point of sale, which are numbered at once, and void them.',
  customers: 'Who documents are for.',
  products: 'What lines of documents are made from.',
  issuer: 'Who documents are from: name, address, series of numbers, tills and operators.',
  'fiscal-credentials': 'The certificate by which documents are registered at the tax authority, and its successor.',
  reports: 'Sums over documents of a period.',
  account: 'The account of the key, with its plan and its limits.',
  'api-keys': 'The keys of this environment.',
  requests: 'Requests that were refused or failed.',
  webhooks: 'Endpoints to which events are sent, and the log of deliveries.',
  events: 'What happened, as it was sent to webhook endpoints.',
  'event-types': 'The types of events.',
  [CALLBACKS]: 'The requests that webhook endpoints receive; they are not requests to this service.',
};

export const tagOf = (path: string): string => path.split('/')[1] ?? '';
