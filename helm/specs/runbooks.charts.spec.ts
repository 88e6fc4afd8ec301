import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { routes, type RouteName } from '@svc/contracts/routes';
import { parse } from 'yaml';
import { alertNames } from '../testing/rules.ts';
import { allCharts, productCharts } from '../testing/services.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'runbooks');
const pages = globSync('*.md', { cwd: folder }).filter((name) => name !== 'README.md');
const textOf = (path: string): string => readFileSync(path, 'utf8');

/** What `svc admin` of a service's image prints about its commands. */
function usageOf(service: string): string {
  const main = join(root, 'services', service, 'src', 'svc.ts');
  const args = ['--conditions=@svc/source', '--import', '@swc-node/register/esm-register', main, 'admin', '--help'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
const isOf = (command: string) => (usage: string) => new RegExp(`^svc admin ${command}(?: \\[?--|\\n)`).test(usage);
/** Of the one process, by command. */
const usageOfOne = usageOf('standalone').split('\n\n');
const usages = new Map(productCharts.map((service) => [service, usageOf(service)]));

interface Called {
  service: string;
  /** The words of the command, and its options without values. */
  command: string;
  options: string[];
}

/** To all pods of a service, or to one. */
const COMMANDS =
  /(?:for P in \$\(kubectl -n invoicing get pods -l app\.kubernetes\.io\/name=(\S+) -o name\); do (?:echo \$P; )?)?kubectl -n invoicing exec (\S+) -- svc admin ([^\n`|;#]+)/g;
/** The commands of `svc admin` in a text. A command for any service is one of the gateway's. */
const calledIn = (text: string): Called[] =>
  [...text.matchAll(COMMANDS)].map(([, pods, at = '', rest = '']) => {
    const words = rest.trim().split(/\s+/);
    const first = words.findIndex((word) => word.startsWith('-'));
    return {
      service: pods ?? (at.startsWith('deploy/') ? at.replace('deploy/', '') : 'gateway'),
      command: words.slice(0, first < 0 ? undefined : first).join(' '),
      options: words.flatMap((word) => (word.startsWith('--') ? [word.slice(2)] : [])),
    };
  });

test('every alert has a runbook, and every runbook an alert', () => {
  expect(pages.map((name) => name.replace('.md', '')).sort()).toEqual(alertNames().sort());
});

test.each(pages)('%s says what users notice, what to look at and what to do', (name) => {
  const text = textOf(join(folder, name));
  expect(text.split('\n')[0]).toBe(`# ${name.replace('.md', '')}`);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(['What users notice', 'What to look at', 'What to do']);
  for (const part of text.split(/^## .+$/m)) expect(part.trim()).not.toBe('');
  expect(text).toMatch(/^(?:kubectl|for P in|curl|df|openssl) |`kubectl |\]\(\w+\.md\)/m);
});

test.each(pages)('the commands of svc admin in %s are those of the service that they are sent to', (name) => {
  for (const { service, command, options } of calledIn(textOf(join(folder, name)))) {
    const usage = usages.get(service)?.split('\n\n').find(isOf(command));
    expect({ service, command, isThere: usage !== undefined }).toEqual({ service, command, isThere: true });
    for (const option of options) expect(usage).toContain(`--${option} `);
  }
});

test.each(pages)('the commands of svc admin in %s are there in one process', (name) => {
  for (const { command } of calledIn(textOf(join(folder, name))))
    expect([command, usageOfOne.some(isOf(command))]).toEqual([command, true]);
});

/** Names of services, as labels of pods and Deployments have them and as Docker Compose has them. */
const NAMES = /app\.kubernetes\.io\/name(?:=([\w-]+)| in \(([\w,-]+)\))|\bdeploy\/([\w-]+)(?![\w-]|\.md|\/)/g;
const composed = parse(textOf(join(root, 'docker-compose.yml')), { merge: true }) as { services: Record<string, { volumes?: string[] }> };
test.each([...pages, 'README.md'])('the services that %s names are there on Kubernetes and with Docker Compose', (name) => {
  for (const [, one, several, deployed] of textOf(join(folder, name)).matchAll(NAMES))
    for (const service of (one ?? several ?? deployed ?? '').split(','))
      expect({ service, of: [allCharts.includes(service), service in composed.services] }).toEqual({ service, of: [true, true] });
});

test('with Docker Compose each service has the program and the secrets that the table names', () => {
  const [, file = '', program = ''] = /--env-file=(\S+) (\S+) admin/.exec(textOf(join(folder, 'README.md'))) ?? [];
  expect(textOf(join(root, 'Dockerfile'))).toContain(`COPY deploy/image/${basename(program)} ${dirname(program)}/`);
  for (const service of productCharts)
    expect(composed.services[service]?.volumes?.some((volume) => volume.includes(`:${dirname(file)}`))).toBe(true);
});

/** Of Kubernetes alone: nodes, certificates of its manager, Prometheus' operator, the Job of topics. */
const CLUSTER = /^(?:kubectl (?:cordon|get certificate|describe certificate|top node|get podmonitor))$/;
test.each(pages)('what %s does by kubectl and helm is in the table of the other forms', (name) => {
  const [, ...rows] = textOf(join(folder, 'README.md')).match(/^\|.*\|$/gm) ?? [];
  const known = rows.map((row) => row.split(' | ')[0] ?? '').join();
  const verbs = textOf(join(folder, name)).matchAll(
    /\b(kubectl|helm) (?:-n invoicing )?((?:get|describe|top|rollout|delete) (?:podmonitor|pods?|certificate|deploy|secret|values|node|restart|status)|[a-z]+)\b/g,
  );
  for (const [, program = '', verb = ''] of verbs) {
    const words = `${program} ${verb}`.replace(/\b(pod|pods)$/, 'pod');
    if (CLUSTER.test(words)) continue;
    const isKnown = known.includes(words) || known.includes(verb.replace(/\bpods?$/, 'pod'));
    expect({ words, isKnown }).toEqual({ words, isKnown: true });
  }
});

test.each(pages)('%s asks the product for what it stores, not its database', (name) => {
  expect(textOf(join(folder, name))).not.toMatch(/getSiblingDB|\bdb\.\w+\.(?:find|update|insert|delete)/);
});

test.each(pages)('%s reads logs, metrics and readiness of all pods of a service, not of one that kubectl chooses', (name) => {
  const text = textOf(join(folder, name));
  expect(text).not.toMatch(/logs deploy\//);
  expect(text).not.toMatch(/exec deploy\/\S+ -- svc admin (?:metrics|readiness|liveness)/);
});

const sources = globSync(['services/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: root })
  .filter((name) => !/spec\.ts$|testing\//.test(name))
  .map((name) => textOf(join(root, name)))
  .join('\n');
const metrics = new Set(
  [sources, ...globSync('node_modules/prom-client/lib/metrics/*.js', { cwd: root }).map((name) => textOf(join(root, name)))]
    .join('\n')
    .match(/(?<=['"])(?:svc|process|nodejs)_\w+(?=['"])/g),
);
test.each(pages)('the metrics that %s looks for are there', (name) => {
  for (const [, part = ''] of textOf(join(folder, name)).matchAll(/--match (\w+)/g)) {
    const isMatched = [...metrics].some((metric) => ['', '_count', '_sum', '_bucket'].some((suffix) => (metric + suffix).includes(part)));
    expect({ part, isMatched }).toEqual({ part, isMatched: true });
  }
});

test.each(pages)('the services log what %s looks for', (name) => {
  for (const [, said = ''] of textOf(join(folder, name)).matchAll(/ logs -l .* \| grep '([a-z ]+ [a-z ]+)'/g))
    expect({ said, isLogged: sources.includes(said) }).toEqual({ said, isLogged: true });
});

test.each(pages)('bash reads the commands of %s', (name) => {
  for (const [, script = ''] of textOf(join(folder, name)).matchAll(/^ *```sh\n([^]*?)```/gm)) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect({ script, status, stderr }).toEqual({ script, status: 0, stderr: '' });
  }
});

test('the runbooks call svc admin', () => {
  expect(pages.flatMap((name) => calledIn(textOf(join(folder, name)))).length).toBeGreaterThan(40);
});

test.each(pages)('the routes of the API in %s are served', (name) => {
  for (const [, route = ''] of textOf(join(folder, name)).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/v1[^\s`?]*)/g)) {
    const { served } = routes[route.replace('/v1', '') as RouteName] ?? { served: 'unknown' };
    expect({ route, served }).toEqual({ route, served: true });
  }
});

const commands = [...usages.values(), usageOfOne.join('\n\n')].flatMap(
  (usage) => usage.match(/^svc admin [a-z][a-z-]*(?: [a-z][a-z-]*)?/gm) ?? [],
);
const manuals = ['docs/*.md', 'docs/runbooks/README.md', 'deploy/**/*.md', 'helm/*.md', 'README.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
test.each(manuals)('the commands of svc admin in %s are those of a service', (name) => {
  for (const [, words = ''] of textOf(join(root, name)).matchAll(/svc (?:-- )?admin ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)) {
    const isThere = commands.some(
      (command) => `${command} `.startsWith(`svc admin ${words} `) || `svc admin ${words} `.startsWith(`${command} `),
    );
    expect({ words, isThere }).toEqual({ words, isThere: true });
  }
});

const documents = ['docs/**/*.md', 'deploy/monitoring/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }));
test.each(documents)('the links of %s lead to pages and headings that are there', (name) => {
  const path = join(root, name);
  for (const [, link = ''] of textOf(path).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(link)) continue;
    const [file = '', heading] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    expect({ link, isThere: existsSync(target) }).toEqual({ link, isThere: true });
    if (heading === undefined) continue;
    const headings = [...textOf(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect({ link, headings }).toEqual({ link, headings: expect.arrayContaining([heading]) as string[] });
  }
});
