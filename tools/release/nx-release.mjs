// Runs `nx release version` on a plan. Nx reads it as version plans, a file for each change; they exist while it runs.
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASKED } from './next-version.mjs';

const PLANS = '.nx/version-plans';

/**
 * Writes manifests, or, in a dry run, prints how they would differ. `asked`: the version of all of them; without it, what their changes ask for.
 * @returns {Promise<{ project: string, from: string, to: string }[]>} what gets a version, also because of something that it uses
 */
export async function versionsByNx(
  /** @type {string} */ root,
  /** @type {import('./plan.mjs').Plan} */ { changes, projects },
  /** @type {{ dryRun: boolean, asked: string | undefined }} */ { dryRun, asked },
) {
  // Nx takes the folder that it is loaded in for the workspace.
  process.chdir(root);
  process.env.NX_DAEMON = 'false';
  process.env.NX_ISOLATE_PLUGINS = 'false';
  if (asked !== undefined) process.env[ASKED] = asked;
  const { default: nx } = await import('nx/release');
  const folder = join(root, PLANS);
  const lock = join(root, 'package-lock.json');
  const { atime, mtime } = statSync(lock);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [n, { line, bumps }] of changes.entries()) writeFileSync(join(folder, `${n}.md`), versionPlan(line, bumps));
    const withoutGit = { gitCommit: false, gitTag: false, stageChanges: false };
    const { projectsVersionData: versionData } = await nx.releaseVersion({ projects, dryRun, ...withoutGit });
    return projects
      .filter((project) => versionData[project]?.newVersion)
      .map((project) => ({ project, from: versionData[project].currentVersion, to: versionData[project].newVersion }));
  } finally {
    // No package is another one: what is installed is still newer than the lock file, and is not installed again (tools/setup.mjs).
    utimesSync(lock, atime, mtime);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Names of projects are strings of JSON, which are YAML. */
const versionPlan = (line, bumps) =>
  ['---', ...Object.entries(bumps).map(([project, bump]) => `${JSON.stringify(project)}: ${bump}`), '---', '', line, ''].join('\n');
