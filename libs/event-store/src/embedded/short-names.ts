import type { Engine } from '@svc/embedded';

/** No stream and no type begins with a digit. */
const SHORT = /^\d/;
/** The part of a stream's name that many streams of a tenant share: up to its second point. 0 where the name has another form. */
const sharedIn = (stream: string): number => stream.indexOf('.', stream.indexOf('.') + 1);

/**
 * Streams and types of events as rows have them. A type is stored as its code among the engine's names, and a stream as the code of its category,
 * environment and account before its id: 33 characters in place of 75, in the table and in its index. A stream that began in format 4 or before keeps its whole name.
 */
export class ShortNames {
  /** There are streams with whole names. */
  private readonly isMixed: boolean;

  constructor(private readonly engine: Engine) {
    this.isMixed = engine.sql("SELECT 1 FROM events WHERE stream >= ':' LIMIT 1").get() !== undefined; // ':' follows the digits
  }

  /** The stored name of a stream, for reads; of one that does not exist, a name that no row has. */
  find(stream: string): string {
    const shared = sharedIn(stream);
    if (shared === -1 || (this.isMixed && this.isWhole(stream))) return stream;
    const code = this.engine.names.codeOf(stream.slice(0, shared));
    return code === undefined ? stream : code + stream.slice(shared);
  }

  /** Inside a write: the stored name for the event at this revision. Throws a RangeError for a name that could be taken for a short one. */
  add(stream: string, revision: number): string {
    const shared = sharedIn(stream);
    if (SHORT.test(stream)) throw new RangeError(`the name of a stream begins with its category, not with a digit: ${stream}`);
    if (shared === -1 || (this.isMixed && revision > 0 && this.isWhole(stream))) return stream;
    return this.engine.names.add(stream.slice(0, shared)) + stream.slice(shared);
  }

  /** Outside of a write, before an append: what is looked up here is kept in memory, what a write looks up is not. */
  recall(stream: string, events: readonly { type: string }[]): void {
    const shared = sharedIn(stream);
    if (shared !== -1) this.engine.names.codeOf(stream.slice(0, shared));
    for (const { type } of events) this.engine.names.codeOf(type);
  }

  streamOf(stored: string): string {
    if (!SHORT.test(stored)) return stored;
    const code = stored.indexOf('.');
    return this.engine.names.nameOf(Number(stored.slice(0, code))) + stored.slice(code);
  }

  /** Inside a write. Throws a RangeError for a type that could be taken for a code. */
  addType(type: string): string {
    if (SHORT.test(type)) throw new RangeError(`the type of an event begins with a letter: ${type}`);
    return String(this.engine.names.add(type));
  }

  typeOf(stored: string): string {
    return SHORT.test(stored) ? this.engine.names.nameOf(Number(stored)) : stored;
  }

  private isWhole(stream: string): boolean {
    return this.engine.sql('SELECT 1 FROM events WHERE stream = ? LIMIT 1').get(stream) !== undefined;
  }
}
