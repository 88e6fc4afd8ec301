import { Engine } from '@svc/embedded';
import type { FakeClock } from '@svc/kernel';
import { parseKeyRing } from '@svc/service';
import { type Answered, NO_PHASES, type Outgoing } from '../../sending/send.ts';
import type { WebhooksContext } from '../context.ts';
import { CONTRACT_DELAYS } from '../schedule.ts';
import { createDeliveryWorker } from '../worker.ts';
import { busAt, rowsOn, silent } from './rows.ts';

export const ring = parseKeyRing(`v1:${Buffer.alloc(32, 7).toString('base64')}`);

/** What a subscriber answers. */
export const answer = (status: number): Answered => ({ status, body: 'zz', phases: NO_PHASES });

interface ProcessOptions {
  clock: FakeClock;
  /** May never answer: the end of the process breaks it off. */
  send(request: Outgoing): Promise<Answered> | Answered;
  delays?: readonly number[];
  lookEvery?: number;
  /** Its collections, as they break. */
  breaking?: (rows: Rows) => Pick<Rows, 'endpoints' | 'deliveries'>;
}

export type Rows = ReturnType<typeof rowsOn>;

/** A process of the service on a folder, whose worker runs. */
export function openProcess(
  folder: string,
  { clock, send, delays = CONTRACT_DELAYS, lookEvery = 60_000, breaking = (rows) => rows }: ProcessOptions,
) {
  const engine = Engine.open(folder, { durable: false });
  const rows = rowsOn(engine);
  const context: WebhooksContext = {
    ...rows,
    ...breaking(rows),
    ...{ bus: busAt(0), clock, logger: silent, ring, resolve: async () => [], allowed: new Set<string>() },
    ...{ delays, publicUrl: '', lookEvery },
  };
  const worker = createDeliveryWorker(context, (request, signal) => {
    const brokenOff = new Promise<Answered>((resolve) =>
      signal?.addEventListener('abort', () => resolve({ status: null, error: 'broken off', phases: NO_PHASES }), { once: true }),
    );
    return Promise.race([send(request), brokenOff]);
  });
  worker.start();
  return { engine, context, worker };
}
