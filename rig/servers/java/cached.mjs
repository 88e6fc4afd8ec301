// A cache of fetched and compiled files outside the repository: ~/.cache/invoicing-platform/servers, or SERVERS_CACHE.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../process/run.mjs';

/**
 * The folder that `make` fills from the given files: once, and again when one of them has changed. It appears whole or not at all.
 *
 * @param {string} name
 * @param {string[]} files
 * @param {(folder: string) => void} make
 */
export function cached(name, files, make) {
  const cache = process.env.SERVERS_CACHE ?? join(homedir(), '.cache', 'invoicing-platform', 'servers');
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, `${name}-new-`));
  try {
    make(made);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another process has filled it meanwhile.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
  return folder;
}

/** Copies the jars of a pom, with their dependencies, into a folder. */
export function fetchJars(pom, folder) {
  run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]);
}
