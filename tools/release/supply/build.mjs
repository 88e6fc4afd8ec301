// Builds the image of a released service from the commit of its release, for all architectures, into a folder.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../setup.mjs';
import { git } from '../history.mjs';

export const ARCHITECTURES = ['linux/amd64', 'linux/arm64'];

/** The base by its digest, which BASE_DIGEST names: that of `docker buildx imagetools inspect node:24-slim`. */
function base() {
  const digest = process.env.BASE_DIGEST ?? '';
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error('BASE_DIGEST names the base: docker buildx imagetools inspect node:24-slim --format "{{.Manifest.Digest}}"');
  const [, name] = /^ARG BASE=(\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  return `${name}@${digest}`;
}

/** The files of a commit. @returns a folder in `work` */
export function checkout(/** @type {string} */ commit, /** @type {string} */ work) {
  const folder = join(work, commit);
  if (mkdirSync(folder, { recursive: true }) === undefined) return folder;
  git(root, 'archive', '--format=tar', `--output=${folder}.tar`, commit);
  run('tar', ['-xf', `${folder}.tar`, '-C', folder]);
  return folder;
}

/** @param {{ service: string, version: string, commit: string }} release @returns {string} the folder of its layout */
export function buildLayout({ service, version, commit }, /** @type {string} */ work) {
  const into = join(work, 'layouts', service);
  mkdirSync(into, { recursive: true });
  run('docker', [
    ...['buildx', 'build', '--platform', ARCHITECTURES.join(','), '--provenance=false', '--sbom=false', '--pull'],
    ...['--build-arg', `SERVICE=${service}`, '--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${commit}`],
    ...['--build-arg', `BASE=${base()}`, '--build-arg', `SOURCE_DATE_EPOCH=${git(root, 'log', '-1', '--format=%ct', commit).trim()}`],
    ...['--output', `type=oci,tar=false,rewrite-timestamp=true,dest=${into}`, checkout(commit, work)],
  ]);
  return into;
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${program} ${args[0]} has failed${error ? `: ${error.message}` : ''}`);
}
