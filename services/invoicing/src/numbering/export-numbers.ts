import { PassThrough, type Readable } from 'node:stream';
import type { EventStore } from '@svc/event-store';
import { idOf, type Env, type Recorded } from '@svc/kernel';

/** A line of the export: an event of a series. */
export interface ExportedNumber {
  series_key: string;
  /** In the stream of the series, from 0 without gaps. */
  revision: string;
  /** `NumberTaken`, `NumberRefused` or `NumbersRaised`. */
  type: string;
  data: unknown;
}

/**
 * The streams of all series of an account as JSON lines, in the order of the store; the last line has their number, so that a part is not taken for the
 * whole. It reads every event of the store, as nothing else knows its series, and holds one batch; it ends when it is destroyed.
 */
export function exportNumbers({ subscribe }: Pick<EventStore, 'subscribe'>, { account, env }: { account: string; env: Env }): Readable {
  const prefix = `series-${env}.${account}.`;
  const lines = new PassThrough();
  let events = 0;
  const stop = subscribe('start', async (batch) => {
    if (lines.destroyed || lines.writableEnded) return;
    const own = batch.events.filter(({ stream }) => stream.startsWith(prefix));
    events += own.length;
    const isTaken = own.length === 0 || lines.write(own.map(lineOf).join(''));
    if (!isTaken) await drained(lines);
    if (batch.caughtUp) lines.end(`${JSON.stringify({ events })}\n`);
  });
  lines.once('close', () => void stop());
  return lines;
}

function lineOf({ stream, revision, type, data }: Recorded): string {
  const line: ExportedNumber = { series_key: idOf(stream), revision: String(revision), type, data };
  return `${JSON.stringify(line)}\n`;
}

const drained = (lines: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    lines.once('drain', resolve);
    lines.once('close', resolve);
  });
