import type { Engine } from '@svc/embedded';
import { systemClock as clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { FIRST_KEYS_SHOWN } from '../first-keys.ts';
import { KEY_IN_USE } from '../key-in-use.ts';
import { measureCopy } from '../metrics.ts';
import type { Schedule } from '../scheduled-backups.ts';
import { SECRETS } from '../secrets.ts';
import { startContinuousCopy, type ContinuousCopy, type Earlier } from './continuous-copy.ts';
import { changesFolder } from './copy-files.ts';

interface CopyContext {
  engine: Engine;
  system: string;
  dataFolder: string;
  earlier: Earlier | undefined;
  logger: Logger;
}

/** The continuous copy with its metrics; undefined where none is wanted. `engine` was opened for it. */
export function measuredCopy(schedule: Schedule, { engine, system, ...context }: CopyContext): ContinuousCopy | undefined {
  if (!engine.changes) return undefined;
  const files = [...(schedule.secrets ? [SECRETS] : []), KEY_IN_USE, FIRST_KEYS_SHOWN];
  const copy = startContinuousCopy({ ...context, folder: changesFolder(schedule.folder, system), changes: engine.changes, files, clock });
  measureCopy(copy);
  return copy;
}
