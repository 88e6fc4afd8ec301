// Builds what is stale: nothing when no source changed since the last build, else every project that Nx finds changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './setup.mjs';

const mark = join(root, 'node_modules', '.cache', 'svc', 'build');

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Changes with the name, size or time of any source file. */
export function fingerprint() {
  const hash = createHash('sha256');
  const paths = [
    ...filesBelow(join(root, 'libs')),
    ...filesBelow(join(root, 'services')),
    ...filesBelow(join(root, 'emulators')),
    join(root, '.swcrc'),
    join(root, 'tools/bundle.mjs'),
    join(root, 'package-lock.json'),
  ];
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const built = () =>
  ['libs', 'services', 'emulators'].every((kind) =>
    readdirSync(join(root, kind)).every(
      (name) => !existsSync(join(root, kind, name, 'package.json')) || existsSync(join(root, kind, name, 'dist')),
    ),
  );

const now = fingerprint();
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== now || !built()) {
  console.error('building …');
  const done = spawnSync(join(root, 'node_modules/.bin/nx'), ['run-many', '-t', 'build', '--output-style=static', '--parallel=2'], {
    cwd: root,
    encoding: 'utf8',
    env: process.env,
  });
  if (done.status !== 0) {
    console.error(`${done.stdout}\n${done.stderr}`);
    process.exit(done.status ?? 1);
  }
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, now);
}
