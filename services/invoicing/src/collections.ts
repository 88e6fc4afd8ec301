import { servedProjections } from './served-projections.ts';
import { termsName } from './terms/list-terms.ts';
import { termsKinds } from './terms/terms.ts';

/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore leaves out the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_invoicing',
  source: ['installation', 'subject_keys'],
  rebuilt: [
    'beginning',
    'checkpoints',
    'consumer_groups',
    'leases',
    'series_after_restore',
    'stored_bytes',
    'unfinished',
    ...servedProjections.map(({ name }) => name),
    ...termsKinds.map(termsName),
  ],
};
