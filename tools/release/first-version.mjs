// The version of a release. Nx derives it from the one before; the first one is the version that stands in the manifest.
import { root } from '../setup.mjs';
import { releasesOf } from './releases.mjs';

/** What Nx's calculateNewVersion answers, for a project that was never released; otherwise undefined. */
export const firstVersion = (/** @type {string} */ project, /** @type {string} */ version) =>
  releasesOf(root, project).length > 0
    ? undefined
    : { newVersion: version, logText: `the first release: ${version}, as the manifest says` };
