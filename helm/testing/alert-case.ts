/** Values over time, by the name of a series and its labels. */
export type Series = Record<string, string>;

/** When an alert fires, and on what it stays silent. */
export interface AlertCase {
  alert: string;
  chart: string;
  /** Of its rule, where an alert has two. */
  severity?: 'warning' | 'critical';
  /** By the name of a series and its labels; those of a pod of the service are added. */
  fires: Series;
  /** Minutes after which the expression holds: the alert fires its `for` later, and not before. */
  after: number;
  /** The labels of the alert besides its rule's own. */
  labels?: Record<string, string>;
  /** The sentence that the operator reads. */
  says: string;
  /** On none of these it fires, at no time of two hours. */
  silent: Series[];
}
