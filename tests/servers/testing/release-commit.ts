import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@svc/testkit';

/** The interface of tools/release/releases.mjs. */
interface Releases {
  releasesOf(folder: string, project: string): { commit: string }[];
}
const { releasesOf } = (await import(pathToFileURL(join(root, 'tools/release/releases.mjs')).href)) as Releases;

interface Options {
  /** The commit that counts as the last release of every service, whatever was released. */
  from?: string | undefined;
  /** The repository. */
  folder?: string;
}

/**
 * The commit of each service's last release: of the highest version in `releases/`. Throws with what to do when there is none, or when this
 * clone does not have the commit.
 */
export function lastReleases(services: readonly string[], { from, folder = root }: Options = {}): Map<string, string> {
  const named = new Map(services.map((service) => [service, from || releasesOf(folder, service)[0]?.commit]));
  const missing = services.filter((service) => named.get(service) === undefined);
  if (missing.length > 0)
    throw new Error(
      `no release of ${missing.join(', ')} in releases/: name the commit that is to count as the last release of all services, such as MIXED_FROM=HEAD~1`,
    );
  return new Map(services.map((service) => [service, commitOf(named.get(service) as string, folder)]));
}

/** The id of a commit by any name that git knows. */
function commitOf(name: string, folder: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  } catch {
    const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
    throw new Error(
      `this clone does not have the commit ${name}: ${isShallow ? 'it is shallow, run git fetch --unshallow' : 'is it the name of a commit?'}`,
    );
  }
}
