import fc from 'fast-check';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { decodeEvent, encodeEvent, TOMBSTONE, type StoredEvent } from './event-bytes.ts';

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const number = fc.oneof(
  fc.nat(),
  fc.nat({ max: 127 }),
  fc.nat({ max: 2 ** 31 - 1 }).map((n) => n * 2 ** 20),
);
const events: fc.Arbitrary<StoredEvent> = fc.record({
  id: fc.uuid(),
  stream: fc.string({ unit: 'grapheme', minLength: 1 }),
  revision: fc.oneof(number, fc.constant(TOMBSTONE)),
  position: number,
  created: number,
  type: fc.string({ unit: 'grapheme' }),
  json: fc.boolean(),
  metadata: bytes,
  data: bytes,
});

describe('the bytes of an event', () => {
  test('decode to the same event', () => {
    fc.assert(fc.property(events, (event) => expect(decodeEvent(encodeEvent(event))).toEqual(event)));
  });

  test('are a message of the published protocol', () => {
    fc.assert(
      fc.property(events, (event) => {
        const message = streams.ReadResp.deserializeBinary(encodeEvent(event)).getEvent();
        const recorded = message?.getEvent();
        expect(message?.getCommitPosition()).toBe(String(event.position));
        expect(recorded?.getId()?.getString()).toBe(event.id);
        expect(Buffer.from(recorded?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(event.stream);
        expect(recorded?.getStreamRevision()).toBe(event.revision === TOMBSTONE ? '9223372036854775807' : String(event.revision));
        expect(recorded?.getMetadataMap().get('type')).toBe(event.type);
        expect(recorded?.getMetadataMap().get('created')).toBe(`${event.created}0000`);
        expect(recorded?.getMetadataMap().get('content-type')).toBe(event.json ? 'application/json' : 'application/octet-stream');
        expect(Buffer.from(recorded?.getCustomMetadata_asU8() ?? []).equals(Buffer.from(event.metadata))).toBe(true);
        expect(Buffer.from(recorded?.getData_asU8() ?? []).equals(Buffer.from(event.data))).toBe(true);
      }),
    );
  });
});
