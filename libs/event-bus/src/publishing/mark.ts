/** Until when a relay has published everything that was stored, but for what it has put aside. Times are milliseconds since 1970. */
export interface Mark {
  until: number;
  /** By tenant (`<env>.<account>`): the `time` of the oldest event that is a dead letter of the publisher. */
  put_aside: Readonly<Record<string, number>>;
}

/** How far a group has read. -Infinity: that is not known. */
export interface ReadUntil {
  /** What was published until then has been handled by the group, or is a dead letter of it. */
  published: number;
  /** So has what was stored until then, but for what its publisher has put aside; as of the last mark that the group has read. */
  stored: number;
  putAside: Mark['put_aside'];
  /** No event was ever published that the group consumes: there is nothing to read, whether a publisher runs or not. */
  empty: boolean;
}

export const NOTHING_READ: ReadUntil = { published: -Infinity, stored: -Infinity, putAside: {}, empty: false };
