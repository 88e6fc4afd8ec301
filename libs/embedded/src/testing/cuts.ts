import { basename } from 'node:path';
import { seeded } from '@svc/kernel/testing/seeded';
import type { Luck, Step } from './disk.ts';

export interface Cut {
  /** Index of the step after which the power is cut. */
  at: number;
  luck: Luck;
}

export const isAcknowledged = ({ kind, path }: Step): boolean => kind === 'write' && basename(path) === 'acknowledged';

/** After which steps the power is cut, by name: of each some. */
const moments: Record<string, (step: Step) => boolean> = {
  acknowledged: isAcknowledged,
  'the WAL is written': ({ kind, one, path }) => kind === 'write' && one > 0 && path.endsWith('-wal'),
  'the WAL begins anew': ({ kind, one, path }) => kind === 'write' && one === 0 && path.endsWith('-wal'),
  'the database is written': ({ kind, path }) => kind === 'write' && path.endsWith('.sqlite'),
  'the WAL is synced': ({ kind, path }) => (kind === 'begin' || kind === 'end') && path.endsWith('-wal'),
  'the database is synced': ({ kind, path }) => (kind === 'begin' || kind === 'end') && path.endsWith('.sqlite'),
  'a file or folder is made, removed or cut': ({ kind }) => kind === 'create' || kind === 'remove' || kind === 'cut',
};

/** What a process has read at its start is acknowledged by that. */
const isRead = (step: Step): boolean => isAcknowledged(step) && step.bytes.toString().startsWith('read');

/** `each`: of each kind of moment. Nothing that is not synced is left, all of it, or some of it; after each start, and the first write behind each cut of the WAL, nothing. */
export function cutsOf(steps: readonly Step[], each: number, seed: number): Cut[] {
  const random = seeded(seed);
  const none: Luck = () => 0;
  const some: Luck = (count) => Math.floor(random() * (count + 1));
  const all: Luck = (count) => count;
  let isCut = false;
  const cuts = steps.flatMap((step, at): Cut[] => {
    isCut ||= step.kind === 'cut' && step.path.endsWith('-wal');
    if (!isRead(step) && !(isCut && isAcknowledged(step))) return [];
    isCut = false;
    return [{ at, luck: none }];
  });
  for (const is of Object.values(moments)) {
    const found = steps.flatMap((step, at) => (is(step) ? [at] : []));
    for (let n = 0; n < each && found.length > 0; n += 1)
      cuts.push({ at: found[Math.floor(random() * found.length)] as number, luck: [none, some, none, some, some, all][n % 6] as Luck });
  }
  return cuts.sort((one, other) => one.at - other.at);
}
