import type { Names } from './names.ts';

/** Codes begin with a digit; no category and no type does. */
const CODE = /^\d/;

/** The places of the points before and behind the account in a stream's name. undefined: it has another form. */
function pointsOf(stream: string): [number, number] | undefined {
  const first = stream.indexOf('.');
  const second = stream.indexOf('.', first + 1);
  return second === -1 ? undefined : [first, second];
}

/**
 * Streams and types of events as rows have them: with codes among the engine's names. A stream is stored as the code of its category and environment, the
 * code of its account, and its id: 36 characters in place of 75, in the table and in its index. A name of another form is stored whole.
 */
export class ShortNames {
  constructor(private readonly names: Names) {}

  /** The stored name of a stream, for reads; of one that does not exist, a name that no row has. Throws a RangeError for what is none. */
  find(stream: string): string {
    checkName('stream', stream);
    const points = pointsOf(stream);
    if (!points) return stream;
    const { names } = this;
    const [category, account] = [names.codeOf(stream.slice(0, points[0])), names.codeOf(stream.slice(points[0] + 1, points[1]))];
    return category === undefined || account === undefined ? stream : `${category}.${account}${stream.slice(points[1])}`;
  }

  /** Inside a write. */
  add(stream: string): string {
    checkName('stream', stream);
    const points = pointsOf(stream);
    if (!points) return stream;
    const { names } = this;
    return `${names.add(stream.slice(0, points[0]))}.${names.add(stream.slice(points[0] + 1, points[1]))}${stream.slice(points[1])}`;
  }

  /** Outside of a write, before an append: what is looked up here is kept in memory, what a write looks up is not. */
  recall(stream: string, events: readonly { type: string }[]): void {
    this.find(stream);
    for (const { type } of events) this.names.codeOf(type);
  }

  streamOf(stored: string): string {
    if (!CODE.test(stored)) return stored;
    const [first, second] = pointsOf(stored) as [number, number];
    const name = (from: number, to: number): string => this.names.nameOf(Number(stored.slice(from, to)));
    return `${name(0, first)}.${name(first + 1, second)}${stored.slice(second)}`;
  }

  /** Inside a write. */
  addType(type: string): string {
    checkName('type', type);
    return String(this.names.add(type));
  }

  typeOf(stored: string): string {
    return this.names.nameOf(Number(stored));
  }
}

function checkName(what: 'stream' | 'type', name: string): void {
  if (CODE.test(name)) throw new RangeError(`the name of a ${what} begins with no digit: ${name}`);
}
