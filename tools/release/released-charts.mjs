// Packages charts as they were released, whatever has changed since: a version has the same bytes wherever and whenever it is packaged.
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { assembleChart, charts } from '../../helm/tools/charts.mjs';
import { helmProgram } from '../../helm/tools/helm.mjs';
import { sortArchive } from './archive.mjs';
import { git, inHistory } from './history.mjs';
import { FILE, FOLDER, releasesOf } from './releases.mjs';

/**
 * The last release of every chart, as an archive in `work`.
 * @returns {Promise<{ chart: string, version: string, archive: string }[]>}
 */
export async function packageReleased(/** @type {string} */ root, /** @type {string} */ work) {
  const checkouts = new Map();
  /** The charts of the commit that released this one. */
  const folderOf = (chart, version) => {
    const commit = releaseCommit(root, `${chart}-chart`, version);
    if (!checkouts.has(commit)) checkouts.set(commit, checkout(root, commit, join(work, 'sources', commit)));
    return checkouts.get(commit);
  };
  const packaged = [];
  for (const chart of charts) {
    const [last] = releasesOf(root, `${chart}-chart`);
    if (!last) continue;
    const { version } = last;
    const assembled = join(work, 'charts', chart);
    assembleChart(chart, folderOf(chart, version), assembled, folderOf);
    const seconds = Number(git(root, 'log', '-1', '--format=%ct', releaseCommit(root, `${chart}-chart`, version)));
    const archive = join(work, `${chart}-${version}.tgz`);
    run(helmProgram(), ['package', '--destination', work, assembled], { SOURCE_DATE_EPOCH: String(seconds) });
    await sortArchive(archive);
    // Helm writes it into the registry, as the time when the chart was made.
    utimesSync(archive, seconds, seconds);
    packaged.push({ chart, version, archive });
  }
  return packaged;
}

/** The commit that added the folder of a release. */
export function releaseCommit(root, project, version) {
  const release = releasesOf(root, project).find((one) => one.version === version);
  if (!release) throw new Error(`${project} ${version} is named by a chart, and not in ${FOLDER}/`);
  if (!inHistory(root, release.commit))
    throw new Error(`${project} ${version}: its commit is not in the history here: git fetch --unshallow`);
  return git(root, 'log', '--diff-filter=A', '-1', '--format=%H', '--', `${FOLDER}/${project}/${version}/${FILE}`).trim();
}

/** @returns the folder of the charts of a commit */
function checkout(root, commit, into) {
  mkdirSync(into, { recursive: true });
  const archive = `${into}.tar`;
  git(root, 'archive', '--format=tar', `--output=${archive}`, commit, 'helm');
  run('tar', ['-xf', archive, '-C', into]);
  return join(into, 'helm');
}

function run(program, args, env = {}) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stderr}`);
}
