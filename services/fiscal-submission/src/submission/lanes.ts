import type { Row } from './row.ts';

/** A place among the few calls that a lane makes at once. Whoever works on a row has one to begin with. */
export interface Place {
  /** Waits for a place when it was given up before. */
  take(): Promise<void>;
  /** The call is over: the next may begin, while this one's outcome is still being stored. */
  giveUp(): void;
}

export interface LanesOptions {
  /** Works on one row; never throws. */
  work: (row: Row, place: Place) => Promise<void>;
  /** Makes a row due again after so many milliseconds. */
  putOff: (row: Row, ms: number) => void;
}

interface Lane {
  /** Places that nobody has. */
  free: number;
  /** Rows being worked on, with a place or without. */
  begun: number;
  waiting: Row[];
  /** Those that had a place and want one again: they come first. */
  back: (() => void)[];
  /** Rows put off since the lane was last empty: the later ones are put off for longer. */
  turnedAway: number;
}

const AT_ONCE = 4;
const MOST_WAITING = 1_000;
const MOST_IN_HAND = 20_000;
const PUT_OFF_MS = 1_000;
/** A lane is thought to get through so many rows a second. */
const RATE = 500;

/**
 * Shares the work fairly: four calls of a lane at once, so that those of one account that get no answer hold up neither the others nor
 * all of its own. A row is worked on once at a time; one that comes again meanwhile has its turn afterwards.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly waiting = new Map<string, Row>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly again = new Map<string, Row>();

  constructor(private readonly options: LanesOptions) {}

  take(rows: readonly Row[]): void {
    for (const row of rows) this.add(row);
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private add(row: Row): void {
    const { _id, lane: name } = row;
    if (this.running.has(_id)) {
      this.again.set(_id, row);
      return;
    }
    if (this.waiting.has(_id)) {
      this.waiting.set(_id, row);
      return;
    }
    const lane = this.lanes.get(name) ?? { free: AT_ONCE, begun: 0, waiting: [], back: [], turnedAway: 0 };
    this.lanes.set(name, lane);
    if (lane.waiting.length >= MOST_WAITING || this.waiting.size >= MOST_IN_HAND) {
      lane.turnedAway += 1;
      this.options.putOff(row, PUT_OFF_MS + (lane.turnedAway / RATE) * 1_000);
      return;
    }
    this.waiting.set(_id, row);
    lane.waiting.push(row);
    this.pump(name, lane);
  }

  private pump(name: string, lane: Lane): void {
    while (lane.free > 0) {
      const back = lane.back.shift();
      const first = back ? undefined : lane.waiting.shift();
      if (!back && !first) break;
      lane.free -= 1;
      if (back) back();
      else if (first) this.begin(name, lane, this.waiting.get(first._id) ?? first);
    }
    if (lane.waiting.length > 0) return;
    lane.turnedAway = 0;
    if (lane.begun === 0) this.lanes.delete(name);
  }

  private begin(name: string, lane: Lane, row: Row): void {
    const { _id } = row;
    this.waiting.delete(_id);
    lane.begun += 1;
    const place = this.placeIn(name, lane);
    const over = this.options.work(row, place).then(() => {
      lane.begun -= 1;
      this.running.delete(_id);
      const again = this.again.get(_id);
      this.again.delete(_id);
      if (again) this.add(again);
      place.giveUp();
      this.pump(name, lane);
    });
    this.running.set(_id, over);
  }

  private placeIn(name: string, lane: Lane): Place {
    let held = true;
    return {
      take: async () => {
        if (held) return;
        held = true;
        await new Promise<void>((resolve) => {
          lane.back.push(resolve);
          this.pump(name, lane);
        });
      },
      giveUp: () => {
        if (!held) return;
        held = false;
        lane.free += 1;
        this.pump(name, lane);
      },
    };
  }
}
