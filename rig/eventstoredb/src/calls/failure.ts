import { Metadata, status } from '@grpc/grpc-js';

/** A failed call: status, message, and the trailers from which the client makes its error. */
export class Failure extends Error {
  readonly details: string;
  readonly metadata = new Metadata();

  constructor(
    readonly code: status,
    message: string,
    trailers: Record<string, string | number> = {},
  ) {
    super(message);
    this.details = message;
    for (const [name, value] of Object.entries(trailers)) this.metadata.set(name, String(value).replace(/[^ -~]/gu, encodeURIComponent));
  }
}

export const handlerThrew = (): Failure => new Failure(status.UNKNOWN, 'Exception was thrown by handler.');

export const streamDeleted = (stream: string): Failure =>
  new Failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, { exception: 'stream-deleted', 'stream-name': stream });

export const wrongExpectedVersion = (operation: string, stream: string, expected: number, actual: number): Failure =>
  new Failure(
    status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    { exception: 'wrong-expected-version', 'stream-name': stream, 'expected-version': expected, 'actual-version': actual },
  );

export const appendTooBig = (limit: number): Failure =>
  new Failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': limit,
  });

export const metadataPropertyMissing = (): Failure =>
  new Failure(status.INVALID_ARGUMENT, 'Required Metadata Property is missing.', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });
