import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Of folders that this process may not open, and so has not made, and of file systems that store entries without it. */
const HARMLESS = ['EACCES', 'EPERM', 'EINVAL'];

/** Syncs the folders above a folder: without its entries in them it is gone after a power cut, whatever of it was synced. */
export function syncEntries(folder: string): void {
  for (let at = resolve(folder); at !== dirname(at); at = dirname(at)) {
    try {
      sync(dirname(at));
    } catch (error) {
      if (!HARMLESS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function sync(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
