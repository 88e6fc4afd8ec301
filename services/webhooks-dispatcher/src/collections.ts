/**
 * The collections of this service besides its groups' dead letters. A backup holds the `source` ones; a restore omits the `rebuilt`
 * ones, which follow from events.
 */
export const collections = {
  database: 'svc_webhooks',
  source: ['installation', 'operator_actions', 'webhook_endpoints'],
  rebuilt: [
    'beginning',
    'deliveries',
    'events',
    'handled_positions',
    'noted_time',
    'retention',
    'stored_bytes',
    'webhook_paces',
    'webhook_recoveries',
  ],
};
