/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore skips the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_fiscal_submission',
  source: ['evidence_requests', 'fiscal_credentials', 'installation', 'operator_actions', 'stored_bytes', 'till_registrations', 'wire_log'],
  rebuilt: [
    'beginning',
    'certificate_watches',
    'chain_paces',
    'chains_after_restore',
    'checkpoints',
    'clock_holds',
    'deadline_notices',
    'leases',
    'noted_time',
    'retention',
    'submission_watches',
    'submissions',
    'till_openings',
  ],
};
