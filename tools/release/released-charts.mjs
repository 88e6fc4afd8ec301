// Packages charts as they were released, whatever has changed since: a version has the same bytes wherever and whenever it is packaged.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { assembleChart, charts, umbrella } from '../../helm/tools/charts.mjs';
import { helmProgram } from '../../helm/tools/helm.mjs';
import { sortArchive } from './archive.mjs';
import { git, inHistory } from './history.mjs';
import { FILE, FOLDER, releasesOf } from './releases.mjs';

/** The one process has all services in it and no releases of its own: its image and its chart are released with the umbrella, whose version they have. */
export const ONE_PROCESS = { image: 'standalone', chart: 'one-process', project: `${umbrella}-chart` };

/** The project whose releases those of a chart are. */
export const projectOf = (/** @type {string} */ chart) => (chart === ONE_PROCESS.chart ? ONE_PROCESS.project : `${chart}-chart`);

/** The folders of charts. */
const [OF_SERVICES, DEPLOY] = ['helm', 'deploy'];

/**
 * The last release of every chart, as an archive in `work`.
 * @returns {Promise<{ chart: string, version: string, archive: string }[]>}
 */
export async function packageReleased(/** @type {string} */ root, /** @type {string} */ work) {
  const checkouts = new Map();
  /** The charts of the commit that released this one. */
  const folderOf = (chart, version) => {
    const commit = releaseCommit(root, projectOf(chart), version);
    if (!checkouts.has(commit)) checkouts.set(commit, checkout(root, commit, join(work, 'sources', commit)));
    return join(checkouts.get(commit), chart === ONE_PROCESS.chart ? DEPLOY : OF_SERVICES);
  };
  const packaged = [];
  for (const chart of [...charts, ONE_PROCESS.chart]) {
    const [last] = releasesOf(root, projectOf(chart));
    if (!last) continue;
    const { version } = last;
    const from = folderOf(chart, version);
    if (!existsSync(join(from, chart))) continue;
    const assembled = join(work, 'charts', chart);
    assembleChart(chart, from, assembled, folderOf);
    const seconds = Number(git(root, 'log', '-1', '--format=%ct', releaseCommit(root, projectOf(chart), version)));
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

/** The charts of a commit. @returns {string} `into` */
function checkout(root, commit, into) {
  mkdirSync(into, { recursive: true });
  const archive = `${into}.tar`;
  const folders = git(root, 'ls-tree', '--name-only', commit, OF_SERVICES, `${DEPLOY}/${ONE_PROCESS.chart}`).trim().split('\n');
  git(root, 'archive', '--format=tar', `--output=${archive}`, commit, ...folders);
  run('tar', ['-xf', archive, '-C', into]);
  return into;
}

function run(program, args, env = {}) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stderr}`);
}
