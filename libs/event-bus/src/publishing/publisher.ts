import type { DocumentEntry } from '@svc/contracts/document/entry';
import type { Topic } from '@svc/contracts/events/envelope';
import type { Fold, Recorded } from '@svc/kernel';

/** What a stored event becomes on one topic. */
export interface Publication {
  topic: Topic;
  /** `invoicing.invoice-created.v1`; different for each publication of one event. */
  type: string;
  /** The complete resource as of this event. */
  data: object;
  /** Of a document: the line of its history that the event is. */
  entry?: DocumentEntry;
}

/** Maps one category's stored events to public ones. Deterministic: a repeated call returns the same bytes. Throws `UnknownEvent`. */
export interface Publisher<State = unknown> extends Fold<State> {
  category: string;
  /** Of all that it publishes. */
  topics: readonly Topic[];
  /** `state`: after the event. [] for an event that stays private. Publications for subscribers come before those for registration. */
  publish(recorded: Recorded, state: State): Publication[];
}
