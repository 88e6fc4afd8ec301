/** Code of one language, in parts: all of them, one after the other, are a file. */
export interface Snippet {
  before: string;
  /** Verifies `X-Service-Signature`. */
  service: string;
  /** Verifies `webhook-signature`, and that the delivery was sent within five minutes. */
  standard: string;
  after: string;
}

/**
 * Stores the state of an event in a copy of the resources, unless a newer one is there, in the SQL of PostgreSQL and SQLite: one statement, so that deliveries that
 * come at the same time cannot pass each other. Table: `copies (id PRIMARY KEY, sequence, state)`.
 */
export const newestState = `INSERT INTO copies (id, sequence, state)
VALUES (:id, :sequence, :state) -- data.id, sequence and data of the event
ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, state = excluded.state
WHERE excluded.sequence > copies.sequence;
`;
