import { destination, type DestinationStream } from 'pino';
import { readable } from './readable.ts';

/** Receives every line besides standard output. */
let listener: ((line: string) => void) | undefined;

/** @param listen undefined removes the listener */
export function listenToLog(listen: typeof listener): void {
  listener = listen;
}

/** Standard output: JSON lines, on a terminal readable lines. Writes synchronously, so that no line is lost when the process ends. */
export function standardOutput(): DestinationStream {
  const lines = process.stdout.isTTY
    ? { write: (line: string) => void process.stdout.write(readable(line)) }
    : destination({ fd: 1, sync: true });
  return {
    write(line) {
      lines.write(line);
      listener?.(line);
    },
  };
}
