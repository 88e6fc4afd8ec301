import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../setup.mjs';
import { releasesOf } from '../releases.mjs';
import type { Results } from '../results.mjs';

const FROM_HERE = ['nx.json', '.gitignore', '.prettierrc.json', 'tsconfig.base.json', 'tools/setup.mjs', 'tools/release'];

export interface Scratch {
  folder: string;
  write(path: string, text: string): void;
  read(path: string): string;
  git(...args: string[]): string;
  /** Writes a file and commits it. */
  change(path: string, message: string): void;
  /** Runs the release command on a commit that has passed the gate and runs beside the last releases; returns what it prints. Throws that if it fails. */
  release(...args: string[]): string;
  /** The same on a commit of which nothing is known but this. */
  releaseWith(results: Partial<Results>, ...args: string[]): string;
  /** The results of a commit that has passed everything. */
  passed(): Partial<Results>;
  /** Tags of HEAD. */
  released(): string[];
  remove(): void;
}

/**
 * A repository with this one's release command and configuration of Nx, and small projects: services `alpha` and `beta`, which use the library `shared`, `gamma`,
 * which uses none, a chart of each, and the umbrella `platform`.
 */
export function scratchRepository(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'svc-release-'));
  const cache = mkdtempSync(join(tmpdir(), 'svc-release-cache-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const json = (path: string, value: unknown): void => write(path, `${JSON.stringify(value, null, 2)}\n`);
  const succeed = (command: string, args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...identity, XDG_CACHE_HOME: cache },
    });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const git = (...args: string[]): string => succeed('git', args);
  const scratch: Scratch = {
    folder,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    git,
    change(path, message) {
      write(path, `// ${message}\n`);
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    },
    release: (...args) => scratch.releaseWith(scratch.passed(), ...args),
    releaseWith(results, ...args) {
      const file = join(cache, 'results.json');
      writeFileSync(file, JSON.stringify({ commit: git('rev-parse', 'HEAD').trim(), ...results }));
      return succeed(process.execPath, ['tools/release/release.mjs', '--results', file, ...args]);
    },
    passed: () => ({
      gate: { passed: true, services: {} },
      mixed: Object.fromEntries(SERVICES.map((name) => [name, { passed: true, from: releasesOf(folder, name)[0]?.commit ?? '' }])),
    }),
    released: () => git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean).sort(),
    remove: () => [folder, cache].forEach((path) => rmSync(path, { recursive: true, force: true })),
  };

  for (const path of FROM_HERE)
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !/\.spec\.ts$/.test(from) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  json('package.json', { name: 'scratch', private: true, workspaces: ['libs/*', 'services/*'] });
  const workspace = (path: string, name: string, uses: string[], nx: object): void => {
    const dependencies = Object.fromEntries(uses.map((used) => [`@scratch/${used}`, '*']));
    json(`${path}/package.json`, { name: `@scratch/${name}`, version: '0.1.0', private: true, dependencies, nx });
    write(`${path}/src/index.ts`, 'export {};\n');
  };
  workspace('libs/deep', 'deep', [], { tags: ['type:lib'] });
  workspace('libs/shared', 'shared', ['deep'], { tags: ['type:lib'] });
  for (const [name, uses] of [['alpha', ['shared']] as const, ['beta', ['shared']] as const, ['gamma', []] as const]) {
    workspace(`services/${name}`, name, [...uses], { name, tags: ['type:service'] });
    chart(name, ['service-library'], [name]);
  }
  chart('platform', ['service-library', 'alpha', 'beta', 'gamma'], ['alpha-chart', 'beta-chart', 'gamma-chart']);
  write('helm/service-library/Chart.yaml', 'apiVersion: v2\nname: service-library\ntype: library\nversion: 0.1.0\n');
  json('package-lock.json', {
    lockfileVersion: 3,
    packages: Object.fromEntries(SERVICES.map((name) => [`services/${name}`, { version: '0.1.0' }])),
  });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Before commit messages were conventional');
  return scratch;

  function chart(name: string, dependencies: string[], implicitDependencies: string[]): void {
    const uses = dependencies.map((used) => `  - name: ${used}\n    version: 0.1.0\n    repository: file://../${used}\n`).join('');
    const head = `apiVersion: v2\nname: ${name}\ntype: application\nversion: 0.1.0\nappVersion: 0.1.0\nkubeVersion: '>=1.31.0-0'\n`;
    write(`helm/${name}/Chart.yaml`, `${head}dependencies:\n${uses}`);
    json(`helm/${name}/project.json`, { name: `${name}-chart`, tags: ['type:chart'], implicitDependencies });
  }
}

const SERVICES = ['alpha', 'beta', 'gamma'];

const identity = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};
