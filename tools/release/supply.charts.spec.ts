import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { root } from '../setup.mjs';
import { ONE_PROCESS } from './released-charts.mjs';
import { addRelease } from './releases.mjs';
import { cosignProgram, isCosignBuilt } from './supply/cosign.mjs';
import { writeLayout } from './testing/layout.mjs';
import { startRegistry, type Registry } from './testing/registry.ts';

// Its build takes minutes: whoever releases has it, by `npm run release:supply`.
const describeSigned = isCosignBuilt() ? describe : describe.skip;

describeSigned('a release', () => {
  const version = '0.1.0';
  const base = `node:24-slim@sha256:${'a'.repeat(64)}`;
  let registry: Registry;
  let work: string;
  let repository: string;
  let labels: Record<string, string>;

  function run(command: string, args: string[], env = {}): string {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, COSIGN_PASSWORD: 'x', ...env },
    });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }
  const git = (...args: string[]): string => run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args]);
  const cosign = (...args: string[]): string => run(cosignProgram(), args);
  const place = (path: string): string => `${registry.host}/${path}`;
  /** Without layouts it builds, where it has to. */
  const supply = (path: string, layouts?: string, env = {}, image = 'gateway'): string => {
    const given = ['--key', join(work, 'cosign.key'), ...(layouts ? ['--layouts', layouts] : []), image];
    return run(process.execPath, ['tools/release/supply.mjs', ...given], {
      ...{ IMAGE_REGISTRY: `http://${place(`${path}/images`)}`, OCI_REGISTRY: `http://${place(`${path}/charts`)}`, SCANNER: 'true' },
      ...env,
    });
  };
  /** A folder with an image, by default of the gateway. */
  async function layouts(
    name: string,
    options: Partial<Parameters<typeof writeLayout>[1]> = {},
    image = 'gateway',
  ): Promise<{ folder: string; digest: string }> {
    const folder = join(work, name);
    return { folder, digest: await writeLayout(join(folder, image), { labels, ...options }) };
  }
  const verify = (name: string, key = 'cosign'): string =>
    cosign('verify', '--key', join(work, `${key}.pub`), '--insecure-ignore-tlog=true', name);
  const attested = (name: string, type: string) => {
    const said = cosign('verify-attestation', '--key', join(work, 'cosign.pub'), '--insecure-ignore-tlog=true', '--type', type, name);
    return JSON.parse(Buffer.from(JSON.parse(said).payload, 'base64').toString('utf8')).predicate;
  };

  beforeAll(async () => {
    registry = await startRegistry();
    work = mkdtempSync(join(tmpdir(), 'svc-supply-'));
    repository = join(work, 'repository');
    mkdirSync(join(repository, 'services/gateway'), { recursive: true });
    for (const path of ['helm', 'deploy/one-process', 'tools/setup.mjs', 'tools/release'])
      cpSync(join(root, path), join(repository, path), { recursive: true });
    cpSync(join(root, 'services/gateway/package.json'), join(repository, 'services/gateway/package.json'));
    symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
    for (const folder of ['helm/gateway', 'helm/invoicing-platform', 'deploy/one-process']) {
      const path = join(repository, folder, 'Chart.yaml');
      const chart = parseDocument(readFileSync(path, 'utf8').replaceAll(/^( *)(version|appVersion): \d.*$/gm, `$1$2: ${version}`));
      // Of the services one is released here.
      const uses = (chart.toJS().dependencies ?? []) as { name: string }[];
      if (uses.length > 0)
        chart.set(
          'dependencies',
          uses.filter(({ name }) => ['service-library', 'gateway'].includes(name)),
        );
      writeFileSync(path, chart.toString());
    }
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'feat: all');
    const commit = git('rev-parse', 'HEAD').trim();
    for (const project of ['gateway', 'gateway-chart', ONE_PROCESS.project]) addRelease(repository, { project, version, commit }, () => {});
    git('add', '--all');
    git('commit', '--quiet', '--message', 'chore(release): gateway');
    const of = 'org.opencontainers.image.';
    const revision = git('rev-parse', 'HEAD').trim();
    labels = { [`${of}title`]: 'gateway', [`${of}version`]: version, [`${of}revision`]: revision, [`${of}base.name`]: base };
    for (const name of ['cosign', 'other']) cosign('generate-key-pair', '--output-key-prefix', join(work, name));
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(work, { recursive: true });
  });

  test('is pushed, signed and attested, each architecture and each chart; a second run changes nothing', async () => {
    const { folder, digest } = await layouts('good');
    const said = supply('one', folder);
    const image = place(`one/images/gateway@${digest}`);
    expect(said).toContain(`gateway ${version} ${image} signed, scanned by true`);
    expect(verify(image)).toContain(digest);
    const index = JSON.parse(readFileSync(join(folder, 'gateway/blobs', digest.replace(':', '/')), 'utf8')) as {
      manifests: { digest: string }[];
    };
    for (const one of index.manifests) expect(verify(place(`one/images/gateway@${one.digest}`))).toContain(one.digest);
    expect(attested(image, 'cyclonedx')).toMatchObject({ components: [{ name: 'fastify', version: '5.12.5' }] });
    expect(attested(image, 'slsaprovenance1').buildDefinition.resolvedDependencies).toEqual([
      expect.objectContaining({ digest: { gitCommit: labels['org.opencontainers.image.revision'] } }),
      { uri: 'docker://node:24-slim', digest: { sha256: 'a'.repeat(64) } },
    ]);
    const [, chart] = /^chart gateway 0\.1\.0 (\S+) signed$/m.exec(said) as RegExpExecArray & [string, string];
    expect(verify(chart)).toContain('sha256:');
    expect(attested(chart, 'slsaprovenance1').buildDefinition.externalParameters).toEqual({ kind: 'chart', name: 'gateway', version });

    const signatures = () =>
      Promise.all(['sig', 'att'].map((kind) => registry.digest('one/images/gateway', `${digest.replace(':', '-')}.${kind}`)));
    const before = await signatures();
    expect(before).toEqual([expect.stringMatching(/^sha256:/), expect.stringMatching(/^sha256:/)]);
    supply('one', folder);
    expect(supply('one')).toContain(`${image} signed already`);
    expect(await signatures()).toEqual(before);
  });

  test('of the one process is that of the chart of all services: its image and its chart are signed and attested', async () => {
    const own = { ...labels, 'org.opencontainers.image.title': ONE_PROCESS.image };
    const { folder, digest } = await layouts('one-process', { labels: own }, ONE_PROCESS.image);
    const said = supply('one', folder, {}, ONE_PROCESS.image);
    const image = place(`one/images/${ONE_PROCESS.image}@${digest}`);
    expect(said).toContain(`${ONE_PROCESS.image} ${version} ${image} signed, scanned by true`);
    expect(verify(image)).toContain(digest);
    expect(attested(image, 'cyclonedx')).toMatchObject({ components: [{ name: 'fastify' }] });
    const [, chart] = /^chart one-process 0\.1\.0 (\S+) signed$/m.exec(said) as RegExpExecArray & [string, string];
    expect(verify(chart)).toContain('sha256:');
    const { buildDefinition } = attested(chart, 'slsaprovenance1');
    expect(buildDefinition.externalParameters).toEqual({ kind: 'chart', name: 'one-process', version });
    const revision = labels['org.opencontainers.image.revision'];
    expect(buildDefinition.resolvedDependencies).toEqual([expect.objectContaining({ digest: { gitCommit: revision } })]);
  });

  test('passes the rule of the example of a policy, which a chart or an image without provenance does not', async () => {
    const { spec } = parse(readFileSync(join(root, 'deploy/admission/signed-images.yaml'), 'utf8'));
    const [{ attestations }] = spec.authorities;
    const [{ predicateType, policy }] = attestations;
    const rule = join(work, 'rule.cue');
    writeFileSync(rule, policy.data);
    const { folder, digest } = await layouts('good');
    const [, chart] = /^chart gateway 0\.1\.0 (\S+) signed$/m.exec(supply('one', folder)) as RegExpExecArray & [string, string];
    const image = place(`one/images/gateway@${digest}`);
    const judge = (name: string): string =>
      cosign(
        ...['verify-attestation', '--key', join(work, 'cosign.pub'), '--insecure-ignore-tlog=true'],
        ...['--type', predicateType, '--policy', rule, name],
      );
    expect(JSON.parse(judge(image)).payloadType).toBe('application/vnd.in-toto+json');
    expect(() => judge(chart)).toThrow('buildType');
    const unsigned = await layouts('no-provenance', { sbom: {} });
    cosign('load', '--dir', join(unsigned.folder, 'gateway'), place('four/gateway:1'));
    expect(() => judge(place(`four/gateway@${unsigned.digest}`))).toThrow('no matching attestations');
  });

  test('has its tag last: a run that is broken off leaves none, and the next one may have built other bytes', async () => {
    const first = await layouts('broken-off', { sbom: { first: true } });
    writeFileSync(join(work, 'program'), `#!/bin/sh\n[ "$1" = sign ] && exit 1\nexec ${cosignProgram()} "$@"\n`, { mode: 0o755 });
    expect(() => supply('five', first.folder, { COSIGN: join(work, 'program') })).toThrow('cosign sign');
    expect(await registry.digest('five/images/gateway', version)).toBeNull();
    const second = await layouts('built-again', { sbom: { second: true } });
    expect(second.digest).not.toBe(first.digest);
    supply('five', second.folder);
    expect(await registry.digest('five/images/gateway', version)).toBe(second.digest);
    verify(place(`five/images/gateway:${version}`));
  });

  test('that is not signed, or by another key, is refused by who verifies', async () => {
    const { folder, digest } = await layouts('unsigned', { sbom: { unsigned: true } });
    expect(() => supply('two', folder, { SCANNER: 'false' })).toThrow('gateway is not published: false has found faults');
    expect(await registry.digest('two/images/gateway', version)).toBeNull();
    cosign('load', '--dir', join(folder, 'gateway'), place(`two/images/gateway:${version}`));
    expect(() => verify(place(`two/images/gateway@${digest}`))).toThrow('no signatures found');
    supply('two', folder);
    verify(place(`two/images/gateway@${digest}`));
    expect(() => verify(place(`two/images/gateway@${digest}`), 'other')).toThrow();
  });

  test('is refused without an architecture, without the digest of its base, as another version, and over other content', async () => {
    const one = await layouts('one-architecture', { architectures: ['amd64'] });
    expect(() => supply('three', one.folder)).toThrow('gateway 0.1.0 has no image for linux/arm64');
    const anyBase = await layouts('any-base', { labels: { ...labels, 'org.opencontainers.image.base.name': 'node:24-slim' } });
    expect(() => supply('three', anyBase.folder)).toThrow('does not say which base it has, by its digest');
    const other = await layouts('other-version', { labels: { ...labels, 'org.opencontainers.image.version': '0.2.0' } });
    expect(() => supply('three', other.folder)).toThrow('is gateway 0.2.0');
    const content = await layouts('other-content', { sbom: { another: true } });
    expect(() => supply('one', content.folder)).toThrow('is there with other content');
    expect(() => supply('three', content.folder, { COSIGN_PASSWORD: 'y' })).toThrow('is COSIGN_PASSWORD its password?');
  });
});
