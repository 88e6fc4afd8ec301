// Builds the image of a service from the Dockerfile, as `docker build` does.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { services } from '../../tools/services.mjs';
import { CERTIFICATES } from './base.mjs';
import { BASE } from './store.mjs';

/** What images are built of: each service, and the one process. */
export const programs = [...services, 'standalone'];

const root = join(import.meta.dirname, '..', '..');
/** How much the image of a service may add to its base, and that of the one process, whose bundle has all of them. */
const mostMb = (program) => (program === 'standalone' ? 140 : 125);

/** That of its last release, which the charts name. */
const versionOf = (service) => JSON.parse(readFileSync(join(root, 'services', service, 'package.json'), 'utf8')).version;
/** The name as the charts have it, in a registry that is never asked. */
export const imageOf = (service) => `localhost/invoicing-platform/${service}:${versionOf(service)}`;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/**
 * Builds an image and prints its size. All times in it are the commit's, so that two builds of one commit are equal.
 *
 * @param {import('./store.mjs').Store} store
 * @param {string} service
 */
export function buildImage(store, service) {
  const started = performance.now();
  const own = mkdtempSync(join(tmpdir(), 'svc-build-'));
  try {
    const file = join(own, 'Dockerfile');
    writeFileSync(file, dockerfile());
    store.run('build', ...options(service), '--file', file, '--tag', imageOf(service), root);
  } finally {
    rmSync(own, { recursive: true });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const size = sizeOverBase(store, service);
  console.error(`${imageOf(service)}: ${size} MB over the base, ${seconds} s`);
  const most = mostMb(service);
  if (size > most) throw new Error(`${imageOf(service)} adds ${size} MB to its base, and may add ${most}`);
}

/** Debian 12's Buildah does not know this option of HEALTHCHECK, which Kubernetes never reads, nor the platform of the machine; images here are for that alone. */
const dockerfile = () =>
  readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replace(/ --start-interval=\S+/, '')
    .replace(' --platform=$BUILDPLATFORM', '');

const options = (service) => [
  // OCI's own format has no HEALTHCHECK.
  ...['--format', 'docker', '--layers', '--force-rm', '--pull-never', '--timestamp', git('log', '-1', '--format=%ct')],
  ...['--build-arg', `SERVICE=${service}`, '--build-arg', `REVISION=${git('rev-parse', 'HEAD')}`],
  ...['--build-arg', `VERSION=${versionOf(service)}`],
  ...(existsSync(CERTIFICATES) ? ['--volume', `${CERTIFICATES}:${CERTIFICATES}:ro`] : []),
];

/** In MB. */
function sizeOverBase(store, service) {
  const bytes = (image) => store.inspect(image).layers.reduce((sum, { size }) => sum + size, 0);
  return Math.ceil((bytes(imageOf(service)) - bytes(BASE)) / 1e6);
}
