import { setImmediate as nextTurn } from 'node:timers/promises';
import { copyCollection } from '@svc/document-store';
import { rewriteFirstFormat, type RewriteOptions } from '@svc/embedded';
import { copyEvents } from '@svc/event-store';
import { systemClock } from '@svc/kernel';
import { databases } from './compose.ts';
import { forgetBeginnings } from './forget-beginnings.ts';
import { phrases } from './phrases.ts';

// until 0.3: data folders of 0.1.0 have format 1

export const copyingOf: RewriteOptions['copyingOf'] = (engine, table) =>
  table.table === 'events' ? copyEvents(engine) : copyCollection(engine, table);

/** Rewrites a data folder of 0.1.0, before it is opened. */
export const rewriteDataFolder = (folder: string, logger: RewriteOptions['logger']): Promise<void> =>
  rewriteFirstFormat(folder, {
    phrases,
    logger,
    copyingOf,
    markCopy: (old) =>
      forgetBeginnings(
        old,
        databases.map(({ database }) => database),
      ),
    now: () => systemClock.now(),
    pause: () => nextTurn(),
  });
