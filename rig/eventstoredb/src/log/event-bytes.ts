import { field, LARGEST, numberField, Reader } from './protobuf.ts';

/**
 * An event. It is encoded once, when it is appended, as the bytes of `event_store.client.streams.ReadResp { event }`; reads send these
 * bytes from the file.
 */
export interface StoredEvent {
  id: string;
  stream: string;
  /** From 0, or TOMBSTONE. */
  revision: number;
  /** Offset of its record in the log file; both commit and prepare position. */
  position: number;
  /** Milliseconds since 1970. */
  created: number;
  type: string;
  json: boolean;
  metadata: Uint8Array;
  data: Uint8Array;
}

/** The revision of `$streamDeleted`. */
export const TOMBSTONE = LARGEST;

const mapEntry = (key: string, value: string): Buffer => field(6, field(1, Buffer.from(key)), field(2, Buffer.from(value)));
const NOTHING = Buffer.alloc(0);
const JSON_TYPE = 'application/json';
const CONTENT_TYPE = { json: mapEntry('content-type', JSON_TYPE), octets: mapEntry('content-type', 'application/octet-stream') };

/** A `RecordedEvent` with this position: the target of a link is sent with the link's. */
export function encodeRecorded(event: StoredEvent, position = event.position): Buffer {
  return Buffer.concat([
    field(1, field(2, Buffer.from(event.id))),
    field(2, field(3, Buffer.from(event.stream))),
    ...(event.revision === 0 ? [] : [numberField(3, event.revision)]),
    numberField(4, position),
    numberField(5, position),
    mapEntry('type', event.type),
    mapEntry('created', `${event.created}0000`), // Ticks of 100 ns.
    event.json ? CONTENT_TYPE.json : CONTENT_TYPE.octets,
    ...(event.metadata.length === 0 ? [] : [field(7, event.metadata)]),
    ...(event.data.length === 0 ? [] : [field(8, event.data)]),
  ]);
}

/** The whole message that a reader receives. */
export const encodeEvent = (event: StoredEvent): Buffer => field(1, field(1, encodeRecorded(event)), numberField(3, event.position));

/** Decodes what `encodeEvent` wrote. */
export function decodeEvent(message: Buffer): StoredEvent {
  const event: StoredEvent = {
    id: '',
    stream: '',
    revision: 0,
    position: 0,
    created: 0,
    type: '',
    json: false,
    metadata: NOTHING,
    data: NOTHING,
  };
  const whole = new Reader(message);
  whole.field();
  whole.enter();
  const reader = new Reader(whole.value());
  while (reader.more()) readField(reader, event);
  return event;
}

function readField(reader: Reader, event: StoredEvent): void {
  switch (reader.field()) {
    case 1:
      reader.enter();
      event.id = reader.text();
      break;
    case 2:
      reader.enter();
      event.stream = reader.text();
      break;
    case 3:
      event.revision = reader.varint();
      break;
    case 4:
    case 5:
      event.position = reader.varint();
      break;
    case 6:
      readProperty(reader, event);
      break;
    case 7:
      event.metadata = reader.value();
      break;
    case 8:
      event.data = reader.value();
  }
}

function readProperty(reader: Reader, event: StoredEvent): void {
  reader.enter();
  const key = reader.text();
  reader.field();
  const value = reader.text();
  if (key === 'type') event.type = value;
  else if (key === 'created') event.created = Number(value.slice(0, -4));
  else event.json = value === JSON_TYPE;
}
