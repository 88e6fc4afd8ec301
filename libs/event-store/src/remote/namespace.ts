/**
 * `<category>-<env>.<account>.<id>`: other streams of a shared store are not ours. No category contains a `_`, so that no namespace sees
 * another's streams, nor those of the server itself (`$…`).
 */
const STREAM = /^[a-z]+-(?:live|test)\.acct_[^.]+\../;

export interface Namespace {
  stored(stream: string): string;
  /** The name within the namespace; undefined for a stream of another system. */
  own(stored: string): string | undefined;
}

/** Streams of one of several systems that share a store: `<name>_<stream>`, or without prefix when `name` is ''. */
export function namespaceOf(name: string): Namespace {
  const prefix = name && `${name}_`;
  return {
    stored: (stream) => prefix + stream,
    own(stored) {
      const stream = stored.slice(prefix.length);
      return stored.startsWith(prefix) && STREAM.test(stream) ? stream : undefined;
    },
  };
}
