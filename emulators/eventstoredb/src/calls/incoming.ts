const UNREADABLE = Symbol('unreadable');

/** A request as it came; its bytes may be none. */
export type Incoming<Request> = Request | typeof UNREADABLE;

/** The request, or undefined when its bytes were none. */
export const readable = <Request>(incoming: Incoming<Request>): Request | undefined =>
  incoming === UNREADABLE ? undefined : (incoming as Request);

/** Leaves it to the handler to refuse what cannot be read. */
export const lenient =
  <Request>(deserialize: (bytes: Buffer) => Request) =>
  (bytes: Buffer): Incoming<Request> => {
    try {
      return deserialize(bytes);
    } catch {
      return UNREADABLE;
    }
  };
