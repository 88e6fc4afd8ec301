/**
 * `<category>-<env>.<account>.<id>`: other streams of a shared store are not ours. No category contains a `_`, so that no namespace sees
 * another's streams, nor those of the server itself (`$…`).
 */
const STREAM = /^[a-z]+-(?:live|test)\.acct_[^.]+\../;

/** Streams of one of several systems that share a store: `<name>_<stream>`, or without prefix when `name` is ''. */
export function namespaceOf(name: string) {
  const prefix = name && `${name}_`;
  return {
    stored: (stream: string): string => prefix + stream,
    /** The name within the namespace; undefined for a stream of another system. */
    own(stored: string): string | undefined {
      const stream = stored.slice(prefix.length);
      return stored.startsWith(prefix) && STREAM.test(stream) ? stream : undefined;
    },
  };
}

export type Namespace = ReturnType<typeof namespaceOf>;
