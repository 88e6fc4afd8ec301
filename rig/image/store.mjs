// A store of images, by Buildah, where there is no Docker.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cache } from '../kubernetes/programs.mjs';

const usual = join(cache, 'buildah');
/** The name of the base image, in every Dockerfile of ours `node:24-slim`. */
export const BASE = 'docker.io/library/node:24-slim';

/** Whether the base image is in the usual store, so that a build needs minutes less. */
export function baseIsKept() {
  const images = join(usual, 'root', 'overlay-images', 'images.json');
  return existsSync(images) && readFileSync(images, 'utf8').includes(`"${BASE}"`);
}

/** @param {string} folder everything of the store */
export function openStore(folder = usual) {
  const options = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];
  // 'chroot' needs neither runc nor a network of the container's own.
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  /** Shows the output on stderr. */
  const run = (...args) => void execFileSync('buildah', [...options, ...args], { env, stdio: ['ignore', 2, 2] });
  const read = (...args) =>
    execFileSync('buildah', [...options, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

  return {
    run,
    read,
    has(image) {
      try {
        read('inspect', '--type', 'image', image);
        return true;
      } catch {
        return false;
      }
    },
    /** The image's configuration, and its layers with digests and sizes before compression. */
    inspect(image) {
      const { Docker, Manifest } = JSON.parse(read('inspect', '--type', 'image', image));
      return { config: Docker.config, layers: JSON.parse(Manifest).layers };
    },
    /** Writes an image to an archive. */
    write(image, archive) {
      mkdirSync(dirname(archive), { recursive: true });
      rmSync(archive, { force: true });
      run('push', '--quiet', image, `docker-archive:${resolve(archive)}:${image}`);
    },
    /** Takes the image of an archive. */
    take: (archive) => run('pull', '--quiet', `docker-archive:${resolve(archive)}`),
    /** The files of an image in a folder, which may be written to, until `close`. */
    mount(image) {
      const container = read('from', '--pull-never', image);
      return { root: read('mount', container), close: () => void read('rm', container) };
    },
    /** The store keeps a mount of its own while it is used. */
    wipe() {
      run('rm', '--all');
      try {
        execFileSync('umount', [join(folder, 'root', 'overlay')], { stdio: 'ignore' });
      } catch {
        // It was not mounted.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @typedef {ReturnType<typeof openStore>} Store */
