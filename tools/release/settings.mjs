// Settings and values of a release and of this commit, from the tables that `npm run charts:describe` writes into the page of each chart.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The heading of a table, and the columns of the names and of their defaults. */
const TABLES = { service: ['Settings', 0, 2], chart: ['Values', 0, 1] };

/** @typedef {{ added: string[], removed: string[], changed: { name: string, from: string, to: string }[] }} SettingChanges */

/**
 * What differs since a commit: variables of a service, values of a chart. `name`: of the service or chart, without `-chart`.
 * @returns {SettingChanges}
 */
export function settingChanges(
  /** @type {string} */ root,
  /** @type {string} */ commit,
  /** @type {'service' | 'chart'} */ kind,
  /** @type {string} */ name,
) {
  const path = `helm/${name}/README.md`;
  const { status, stdout } = spawnSync('git', ['show', `${commit}:${path}`], { cwd: root, encoding: 'utf8' });
  const file = join(root, path);
  return changesBetween(
    defaultsIn(status === 0 ? stdout : '', TABLES[kind]),
    defaultsIn(existsSync(file) ? readFileSync(file, 'utf8') : '', TABLES[kind]),
  );
}

function changesBetween(before, now) {
  const added = [...now.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !now.has(name));
  const changed = [...now]
    .filter(([name, to]) => before.has(name) && before.get(name) !== to)
    .map(([name, to]) => ({ name, from: before.get(name), to }));
  return { added, removed, changed };
}

/** Defaults by name. */
function defaultsIn(page, [heading, nameAt, defaultAt]) {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const cells = (line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));
  return new Map(rows.map(cells).map((row) => [row[nameAt], row[defaultAt]]));
}
