/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore omits the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_gateway',
  source: [
    ...[
      'accounts',
      'api_keys',
      'api_key_uses',
      'audit',
      'audit_bytes',
      'first_starts',
      'forms',
      'idempotency_keys',
      'installation',
      'known_browsers',
      'mails',
      'members',
      'peppers',
    ],
    ...['refused_requests', 'request_counts', 'sessions', 'sign_in_tries', 'users'],
  ],
  rebuilt: ['beginning', 'bulk_submissions', 'export_pieces', 'exports', 'kept_bytes', 'limits', 'noted_time', 'processes', 'retention'],
};
