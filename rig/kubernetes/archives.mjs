// Images of the node: there is no registry, an image is there because its archive was loaded.
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openStore } from '../image/store.mjs';
import { inNode } from './node.mjs';
import { PAUSE, SOCKET } from './settings.mjs';

const ctr = (state, ...args) => inNode(state, ['ctr', '-a', SOCKET, '-n', 'k8s.io', 'images', ...args], { stdio: ['ignore', 2, 2] });

export function loadArchives(state, archives) {
  for (const archive of archives) ctr(state, 'import', resolve(archive));
}

/** Gives an image a second name. */
export const nameImage = (state, image, name) => ctr(state, 'tag', '--force', image, name);

/** The archive of the image of one file that every pod starts with, to hold its namespaces. */
export function pauseArchive(bin) {
  const archive = join(bin, 'pause.tar');
  if (existsSync(archive)) return archive;
  const context = mkdtempSync(join(tmpdir(), 'pause-'));
  try {
    copyFileSync(join(bin, 'pause'), join(context, 'pause'));
    writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nCOPY pause /pause\nUSER 65534:65534\nENTRYPOINT ["/pause"]\n');
    const store = openStore();
    store.run('build', '--tag', PAUSE, context);
    store.write(PAUSE, archive);
  } finally {
    rmSync(context, { recursive: true });
  }
  return archive;
}
