import { encodeRecorded, type StoredEvent } from '../log/event-bytes.ts';
import { field, numberField } from '../log/protobuf.ts';

/** Messages of `event_store.client.streams.ReadResp` other than stored events. */
export const confirmation = (subscription: string): Buffer => field(2, field(1, Buffer.from(subscription)));
export const caughtUp = field(8);
export const checkpoint = (commit: number, prepare: number): Buffer =>
  field(3, ...(commit === 0 ? [] : [numberField(1, commit)]), ...(prepare === 0 ? [] : [numberField(2, prepare)]));
export const streamNotFound = (stream: string): Buffer => field(4, field(1, field(3, Buffer.from(stream))));
export const lastStreamPosition = (revision: number): Buffer => numberField(6, revision);

/** A link and its target, if that is readable. Both have the link's position. */
export const resolvedLink = (event: StoredEvent | undefined, link: StoredEvent): Buffer =>
  field(
    1,
    ...(event === undefined ? [] : [field(1, encodeRecorded(event, link.position))]),
    field(2, encodeRecorded(link)),
    numberField(3, link.position),
  );
