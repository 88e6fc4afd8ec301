import { destination, type DestinationStream } from 'pino';
import { readable } from './readable.ts';

/** Gets every line besides standard output, while there is one. */
let listener: ((line: string) => void) | undefined;

/** @param listen undefined: nobody any more */
export function listenToLog(listen: typeof listener): void {
  listener = listen;
}

/** Standard output: JSON lines, and at a terminal lines to read. Written before the call returns, so that none is lost when the process ends. */
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
