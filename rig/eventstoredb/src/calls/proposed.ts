import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { ProposedEvent } from '../log/event-log.ts';
import { EXPECT } from '../log/append-decision.ts';

/** Limit of the data of all events of one append, in bytes; metadata and types do not count. */
export const MAX_APPEND_BYTES = 1_048_576;

export const nameOf = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

/** The text of an id in either form; '' when there is none. */
export function idText(id: UUID | undefined): string {
  if (id === undefined) return '';
  if (id.hasString()) return id.getString();
  const structured = id.getStructured();
  if (structured === undefined) return '';
  const hex = [structured.getMostSignificantBits(), structured.getLeastSignificantBits()]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An id as two signed 64-bit numbers in decimal text. */
export function idBits(id: string): [most: string, least: string] {
  const hex = id.replaceAll('-', '').padStart(32, '0');
  const half = (text: string): string => BigInt.asIntN(64, BigInt(`0x${text}`)).toString();
  return [half(hex.slice(0, 16)), half(hex.slice(16))];
}

/** The proposed event; undefined when its type or content type is missing. */
export function proposed(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): ProposedEvent | undefined {
  const type = message.getMetadataMap().get('type');
  const contentType = message.getMetadataMap().get('content-type');
  if (!type || !contentType) return undefined;
  return {
    id: idText(message.getId()),
    type,
    json: contentType === 'application/json',
    metadata: message.getCustomMetadata_asU8(),
    data: message.getData_asU8(),
  };
}

interface Expectation {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}
/** The revision that a request expects of its stream; undefined when it has none. */
export function expectation(options: Expectation, revision: string | undefined): number | undefined {
  if (revision !== undefined) return Number(revision);
  if (options.hasNoStream()) return EXPECT.none;
  if (options.hasAny()) return EXPECT.any;
  return options.hasStreamExists() ? EXPECT.exists : undefined;
}
