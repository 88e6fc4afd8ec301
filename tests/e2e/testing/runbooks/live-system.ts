import { startSystem, type System } from '@svc/testkit';
import { type LiveAuthorities, openLiveShop, startLiveAuthorities } from '../../../authorities/testing/live-authorities.ts';
import { submit, untilFiscal, type Document, type Shop } from '../../../authorities/testing/shop.ts';
import { openClock } from './clock-file.ts';
import { openRunbooks, type Runbooks } from './runbook.ts';

export const OPS_TOKEN = 'a-token-for-operators-at-night-012345';

export interface LiveSystem {
  authorities: LiveAuthorities;
  /** The clock of the system; those of the authorities are their own. */
  clock: ReturnType<typeof openClock>;
  runbooks: Runbooks;
  /** Live issuers. */
  albania: Shop;
  spain: Shop;
  system(): System;
  /** Kills it and starts it on the same folder; `between`: before the start. */
  again(between?: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** One process whose live documents go to simulated authorities. */
export async function startLiveSystem(env: Record<string, string> = {}): Promise<LiveSystem> {
  const clock = openClock();
  const authorities = await startLiveAuthorities();
  const given = { OPS_TOKEN, LOG_LEVEL: 'info', CLOCK_WITNESSES: authorities.url, ...authorities.env, ...clock.env, ...env };
  let running: System | undefined;
  const system = (): System => running as System;
  const runbooks = openRunbooks(system, OPS_TOKEN);
  async function stop(): Promise<void> {
    runbooks.remove();
    await running?.stop();
    await authorities.stop();
    clock.remove();
  }
  try {
    running = await startSystem(given);
    return {
      ...{ authorities, clock, runbooks, system, stop },
      albania: await openLiveShop(running, authorities, 'al-cis'),
      spain: await openLiveShop(running, authorities, 'es-verifactu'),
      async again(between = () => Promise.resolve()) {
        await system().kill();
        await between();
        running = await system().restart();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The document of the fault that is planted. */
export function openDocument() {
  let last: Document;
  return {
    id: () => last.id,
    async submit(shop: Shop, body: object = {}): Promise<void> {
      last = (await submit(shop, body)).body;
    },
    untilRegistered: (shop: Shop) => untilFiscal(shop, last),
    last: () => last,
  };
}

/** Series of a metric of live documents for Albania. */
export const ofAlbania = (metric: string): RegExp => new RegExp(`^${metric}\\{authority="al-cis",env="live"`);
