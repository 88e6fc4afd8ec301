const UNREADABLE = Symbol('unreadable');

/** A received request, or a marker for bytes that cannot be decoded. */
export type Incoming<Request> = Request | typeof UNREADABLE;

/** The request; undefined when its bytes could not be decoded. */
export const readable = <Request>(incoming: Incoming<Request>): Request | undefined =>
  incoming === UNREADABLE ? undefined : (incoming as Request);

/** Makes a deserializer that does not throw, so that the handler refuses undecodable requests. */
export const lenient =
  <Request>(deserialize: (bytes: Buffer) => Request) =>
  (bytes: Buffer): Incoming<Request> => {
    try {
      return deserialize(bytes);
    } catch {
      return UNREADABLE;
    }
  };
