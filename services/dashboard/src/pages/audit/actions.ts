const changed = ['created', 'updated', 'deleted'];
const documents = ['resolved', 'given_up', 'amended', 'retried', 'evidence_read'];
const done: Record<string, readonly string[]> = {
  api_key: [...changed, 'rotated'],
  member: [...changed, 'reset'],
  session: ['created', 'deleted'],
  account: ['created', 'updated'],
  issuer: ['updated'],
  series: ['created', 'updated'],
  fiscal_credentials: changed,
  customer: ['erased'],
  invoice: documents,
  receipt: documents,
  export: ['created', 'deleted'],
  submissions: ['created', 'deleted', 'retried'],
  chain: ['restarted', 'opened'],
  dead_letters: ['dropped'],
  webhook_endpoint: [...changed, 'secret_rotated', 'resent'],
};

/** What can be filtered by: what was done to which kind of setting. */
export const actions: readonly string[] = Object.entries(done).flatMap(([type, verbs]) => verbs.map((verb) => `${type}.${verb}`));
