import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '@svc/kernel';
import { startSimulator, type Simulator } from '../server.ts';
import type { AuthorityId } from '../wires/authorities.ts';

/** A clock that goes on by itself from a time that tests set. */
export class ShiftedClock implements Clock {
  private shift = 0;
  readonly after = systemClock.after;
  readonly sleep = systemClock.sleep;

  now(): number {
    return systemClock.now() + this.shift;
  }

  set(at: string): void {
    this.shift = Date.parse(at) - systemClock.now();
  }
}

export interface ServedSimulator {
  readonly simulator: Simulator;
  clock: ShiftedClock;
  /** Calls the operators' port; returns status and JSON. */
  operate(method: string, path: string, body?: object): Promise<{ status: number; body: never }>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A running simulator with a file of its own and the national authorities on free ports. */
export async function serveSimulator(...authorities: AuthorityId[]): Promise<ServedSimulator> {
  const folder = mkdtempSync(join(tmpdir(), 'wires-'));
  const clock = new ShiftedClock();
  const start = (): Promise<Simulator> =>
    startSimulator({
      ...{
        port: 0,
        host: '127.0.0.1',
        file: join(folder, 'ledger.sqlite'),
        clock,
        logger: { warn: (fields: { err?: Error }) => console.error(fields.err) },
      },
      ports: Object.fromEntries(authorities.map((authority) => [authority, 0])),
      wireBytes: 100_000_000,
    });
  let simulator = await start();
  return {
    get simulator() {
      return simulator;
    },
    clock,
    async operate(method, path, body) {
      const response = await fetch(simulator.url + path, { method, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, body: (await response.json()) as never };
    },
    async restart() {
      await simulator.close();
      simulator = await start();
    },
    async close() {
      await simulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}
