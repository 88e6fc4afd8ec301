/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore skips the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_fiscal_submission',
  source: ['evidence_requests', 'fiscal_credentials', 'till_registrations', 'wire_log'],
  rebuilt: ['certificate_watches', 'chain_paces', 'checkpoints', 'leases', 'retention', 'submissions', 'till_openings'],
};
