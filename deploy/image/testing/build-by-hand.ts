import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The result of a Dockerfile, in a folder instead of an image. */
export interface Built {
  /** Its root folder. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string | undefined;
  entrypoint: string[];
  healthcheck: string[];
}

export interface Options {
  /** Folder with the Dockerfile and a .dockerignore. */
  context: string;
  /** An empty folder for the result. */
  folder: string;
}

interface Stage extends Built {
  name: string;
  args: Record<string, string>;
}

type Instruction = [name: string, rest: string];

/** One stage of the Dockerfile: the instructions that do not depend on arguments, FROM included, then the others. */
interface Plan {
  name: string;
  common: Instruction[];
  own: Instruction[];
}

/**
 * Runs the steps of `docker build` without Docker: each stage is a folder on top of this machine's system instead of the base image, and
 * commands run in it. It supports what our Dockerfile uses and throws on anything else. Each call builds with other arguments; steps that
 * do not depend on them run once.
 */
export function builderByHand({ context, folder }: Options): (args: Record<string, string>) => Built {
  const [given, bin] = [join(folder, 'context'), join(folder, 'bin')];
  copyContext(context, given);
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const plans = plansOf(instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8')));
  const carryOutAll = (instructions: Instruction[], stages: Stage[], below: string, args: Record<string, string>): void => {
    for (const [name, rest] of instructions)
      if (name === 'FROM') stages.push(stageOf(rest, stages, below));
      else carryOut(name, rest, { stage: stages.at(-1) as Stage, stages, context, given, args, bin });
  };

  const common: Stage[] = [];
  for (const { common: steps } of plans) carryOutAll(steps, common, join(folder, 'common'), {});
  let builds = 0;
  return (args) => {
    const below = join(folder, `build-${(builds += 1)}`);
    const stages: Stage[] = [];
    for (const { name, own } of plans) {
      const shared = common.find((stage) => stage.name === name);
      if (shared) stages.push(own.length === 0 ? shared : linked(shared, join(below, name)));
      carryOutAll(own, stages, below, args);
    }
    return stages.at(-1) as Stage;
  };
}

/** Splits each stage: it depends on arguments from its first ARG on, or from where it is based on or copies from a stage that does. */
function plansOf(instructions: Instruction[]): Plan[] {
  const plans: Plan[] = [];
  const owned = new Set<string | undefined>();
  for (const [instruction, rest] of instructions) {
    if (instruction === 'FROM') plans.push({ name: baseOf(rest).name, common: [], own: [] });
    const { name, common, own } = plans.at(-1) as Plan;
    const source = instruction === 'FROM' ? baseOf(rest).base : copiedFrom(rest);
    if (instruction === 'ARG' || owned.has(source)) owned.add(name);
    (owned.has(name) ? own : common).push([instruction, rest]);
  }
  return plans;
}

function baseOf(from: string): { base: string | undefined; name: string } {
  const [base, , name = 'last'] = from.split(' ');
  return { base, name };
}

const copiedFrom = (rest: string): string | undefined => /--from=(\S+)/.exec(rest)?.[1];

/** A copy whose files are hard links, within one file system: no step changes a file in place. */
function copyLinked(from: string, to: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', 'cp -alT "$0" "$1" 2> /dev/null || cp -aT "$0" "$1"', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** A copy of a stage in a folder of its own. */
function linked(stage: Stage, root: string): Stage {
  mkdirSync(join(root, '..'), { recursive: true });
  copyLinked(stage.root, root);
  return { ...stage, root, args: { ...stage.args }, env: { ...stage.env } };
}

/** Joins continued lines and drops comments. */
function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1).trim()]);
}

/** Applies the three forms of our .dockerignore: `*`, `!path`, and `**` before a name. */
function copyContext(from: string, to: string): void {
  const lines = readFileSync(join(from, '.dockerignore'), 'utf8').split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const unknown = rules.filter((rule) => !/^(\*|![\w./-]+|\*\*\/[\w.-]+)$/.test(rule));
  if (unknown.length > 0) throw new Error(`.dockerignore: ${unknown.join(', ')}`);
  const left = new Set(rules.filter((rule) => rule.startsWith('**/')).map((rule) => rule.slice(3)));
  for (const rule of rules.filter((rule) => rule.startsWith('!')))
    cpSync(join(from, rule.slice(1)), join(to, rule.slice(1)), { recursive: true, filter: (path) => !left.has(basename(path)) });
}

function stageOf(text: string, stages: Stage[], folder: string): Stage {
  const { base, name } = baseOf(text);
  const below = stages.find((stage) => stage.name === base);
  const root = join(folder, name);
  if (below) return { ...linked(below, root), name, args: {} };
  mkdirSync(root, { recursive: true });
  return { name, root, args: {}, workdir: '/', env: {}, user: undefined, entrypoint: [], healthcheck: [] };
}

interface Step {
  stage: Stage;
  stages: Stage[];
  context: string;
  /** A copy of what the build sees of it. */
  given: string;
  args: Record<string, string>;
  bin: string;
}

function carryOut(instruction: string, rest: string, step: Step): void {
  const { stage, args } = step;
  switch (instruction) {
    case 'WORKDIR':
      stage.workdir = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
      return;
    case 'ARG':
      stage.args[rest] = args[rest] ?? '';
      return;
    case 'ENV':
      Object.assign(stage.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
      return;
    case 'COPY':
      return copy(rest, step);
    case 'RUN':
      return run(rest.replaceAll(/^(--mount=\S+ )+/g, ''), step);
    case 'USER':
      stage.user = rest;
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(rest);
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')));
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`Dockerfile: ${instruction} ${rest}`);
  }
}

/** COPY: a folder's contents go into the target; a file goes into it when the target ends with a slash or several are copied. */
function copy(rest: string, { stage, stages, given }: Step): void {
  const words = rest.split(/ +/);
  const from = copiedFrom(rest);
  const root = from ? (stages.find(({ name }) => name === from)?.root ?? '') : given;
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = join(stage.root, stage.workdir, paths.pop() ?? '');
  for (const path of paths) {
    const source = join(root, path);
    if (!existsSync(source)) throw new Error(`COPY ${rest}: there is no ${path}`);
    const into = statSync(source).isFile() && (paths.length > 1 || rest.endsWith('/')) ? join(target, basename(path)) : target;
    cpSync(source, into, { recursive: true, verbatimSymlinks: true });
  }
}

/** Installs all packages of the lock file. The context's own are the same, as a layer that Docker has kept. */
const INSTALL_ALL = 'npm ci --no-audit --no-fund';

function run(command: string, step: Step): void {
  if (command === INSTALL_ALL) installFrom(step.context, step.stage);
  else runInShell(command, step);
}

function installFrom(context: string, { root, workdir }: Stage): void {
  const packages = join(root, workdir, 'node_modules');
  copyLinked(join(context, 'node_modules'), packages);
  rmSync(join(packages, '.cache'), { recursive: true, force: true });
}

function runInShell(command: string, { stage, bin }: Step): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], {
    cwd: join(stage.root, stage.workdir),
    env: { ...machine(bin), ...stage.env, ...stage.args },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`RUN ${command}\n${stdout}\n${stderr}`);
}

/** This machine's environment without the variables of npm and Nx that started this process; Node is this process's. */
function machine(bin: string): Record<string, string | undefined> {
  const outer = Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NX_|NODE_(?!EXTRA_CA_CERTS)|JEST_|INIT_CWD)/.test(name));
  return { ...Object.fromEntries(outer), PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, npm_config_prefer_offline: 'true' };
}
