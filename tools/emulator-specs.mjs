// The own specs and probes of the emulator of EventStoreDB test it alone: npm test runs them when something there has changed, npm run test:long always.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { root } from './setup.mjs';

export const FOLDER = 'rig/eventstoredb';

/** Those that need only npm, by their paths from the root. */
export const emulatorSpecs = () => globSync(`${FOLDER}/**/*.spec.ts`, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).sort();

/**
 * Whether one of its files differs from the previous commit, committed or not. Where git cannot say, it counts as changed: in the first
 * commit, in a shallow clone, outside a repository.
 */
export function emulatorChanged(repository = root) {
  const git = (...args) => spawnSync('git', [...args, '--', FOLDER], { cwd: repository, encoding: 'utf8' });
  const added = git('ls-files', '--others', '--exclude-standard');
  return git('diff', '--quiet', 'HEAD~1').status !== 0 || added.status !== 0 || added.stdout !== '';
}
