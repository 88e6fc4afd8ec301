// The version of a release. Nx derives it from the one before, unless another one is asked for; the first one is the version that stands in the manifest.
import { gt } from 'semver';
import { root } from '../setup.mjs';
import { releasesOf } from './releases.mjs';

/** The variable with the version that was asked for: Nx itself starts what writes versions. */
export const ASKED = 'RELEASE_ASKED';

/**
 * What Nx's calculateNewVersion answers. `derived`: what it would without us.
 * @param {string} project
 * @param {string} version that of the manifest
 * @param {() => Promise<{ newVersion: string, logText: string }>} derived
 */
export async function nextVersion(project, version, derived) {
  if (releasesOf(root, project).length === 0)
    return { newVersion: version, logText: `the first release: ${version}, as the manifest says` };
  const next = await derived();
  const asked = process.env[ASKED];
  return asked && gt(asked, next.newVersion) ? { newVersion: asked, logText: `${asked}, which was asked for` } : next;
}
