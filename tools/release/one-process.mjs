// The version of the one process, which has all services in it and no release of its own: that of the umbrella, which each release of a service makes one of.
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

/** What `npm start`, `svc --version` and the one process say of themselves, by its folder in the lock file. */
const MANIFESTS = ['', 'services/standalone'];
const CHART = 'deploy/one-process/Chart.yaml';
const LOCK = 'package-lock.json';

/** Writes it into the manifests, the lock file and the chart of the one process. Nothing in a repository without it. */
export function setOneProcess(/** @type {string} */ root, /** @type {string} */ version) {
  if (!existsSync(join(root, CHART))) return;
  for (const folder of MANIFESTS) change(join(root, folder, 'package.json'), (manifest) => (manifest.version = version));
  const { atime, mtime } = statSync(join(root, LOCK));
  change(join(root, LOCK), (lock) => {
    lock.version = version;
    for (const folder of MANIFESTS) lock.packages[folder].version = version;
  });
  // No package is another one: what is installed is still newer than the lock file (nx-release.mjs).
  utimesSync(join(root, LOCK), atime, mtime);
  const chart = parseDocument(readFileSync(join(root, CHART), 'utf8'));
  chart.set('version', version);
  chart.set('appVersion', version);
  writeFileSync(join(root, CHART), chart.toString({ lineWidth: 0 }));
}

function change(path, edit) {
  const content = JSON.parse(readFileSync(path, 'utf8'));
  edit(content);
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}
