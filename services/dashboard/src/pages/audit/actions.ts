const changed = ['created', 'updated', 'deleted'];
const done: Record<string, readonly string[]> = {
  api_key: [...changed, 'rotated'],
  member: [...changed, 'reset'],
  session: ['created', 'deleted'],
  account: ['created', 'updated'],
  issuer: ['updated'],
  series: ['created', 'updated'],
  fiscal_credentials: changed,
  customer: ['erased'],
  invoice: ['resolved', 'evidence_read'],
  receipt: ['resolved', 'evidence_read'],
  export: ['created', 'deleted'],
  submissions: ['created', 'deleted'],
  webhook_endpoint: [...changed, 'secret_rotated'],
};

/** What can be filtered by: what was done to which kind of setting. */
export const actions: readonly string[] = Object.entries(done).flatMap(([type, verbs]) => verbs.map((verb) => `${type}.${verb}`));
