// The folder of a node: keys, settings, logs, data, and the ids of its processes.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** @param {string} dir */
export function openFolder(dir) {
  const root = resolve(dir);
  const at = (...names) => join(root, ...names);

  /** Writes a text, or a value as JSON; returns the path. */
  function write(name, content) {
    mkdirSync(dirname(at(name)), { recursive: true, mode: 0o700 });
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content, null, 2), { mode: 0o600 });
    return at(name);
  }

  const read = (name) => JSON.parse(readFileSync(at(name), 'utf8'));

  /** Removes the folder, if it is one of a node. */
  function clear() {
    const isOther = existsSync(root) && readdirSync(root).length > 0 && !existsSync(at('state.json'));
    if (isOther) throw new Error(`${root} is not empty and not of a cluster: choose another --dir`);
    rmSync(root, { recursive: true, force: true });
  }

  return { root, at, write, read, clear };
}

/** @typedef {ReturnType<typeof openFolder>} Folder */
