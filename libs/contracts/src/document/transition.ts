/** A change of a public status, as the reference shows it. The deciders are tested against these rows. */
export interface Transition<Status extends string> {
  /** Statuses in which it can happen; empty: it creates the resource. */
  from: readonly Status[];
  /** What happens: a call, or what the service learns. Markdown in a line. */
  by: string;
  /** `same`: the status stays. */
  to: Status | 'same';
  /** Webhook event that is sent; null: none. */
  event: string | null;
}
