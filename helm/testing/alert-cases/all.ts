import type { AlertCase } from '../alert-case.ts';
import { events } from './events.ts';
import { fiscal } from './fiscal-submission.ts';
import { gateway } from './gateway.ts';
import { invoicing } from './invoicing.ts';
import { objectives } from './objectives.ts';
import { oneProcess } from './one-process.ts';
import { everyService } from './process.ts';
import { servers } from './servers.ts';
import { webhooks } from './webhooks-dispatcher.ts';

/** Values of a series, one every 30 s, are as promtool reads them: `0+6x60` is 0, 6, 12 … */
export const alertCases: AlertCase[] = [
  ...everyService,
  ...servers,
  ...events,
  ...gateway,
  ...invoicing,
  ...fiscal,
  ...webhooks,
  ...objectives,
  ...oneProcess,
];
