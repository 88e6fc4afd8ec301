/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore skips the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_fiscal_submission',
  source: ['fiscal_credentials', 'wire_log'],
  rebuilt: ['chain_paces', 'checkpoints', 'leases', 'retention', 'submissions', 'till_openings'],
};
