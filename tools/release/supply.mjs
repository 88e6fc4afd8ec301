// npm run release:supply [-- --key FILE] [--layouts DIR] [SERVICE…]: publishes the last release of every service, and of the one process (standalone), as an image
// for two architectures, and that of every chart: builds, scans, pushes, signs, and attests the SBOM and where it comes from. A second run changes nothing.
// COSIGN_PASSWORD is the key's; IMAGE_REGISTRY and OCI_REGISTRY name where images and charts go. `--layouts`: the images in this folder, one for each service, in place of building them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../setup.mjs';
import { releasedProjects } from './projects.mjs';
import { ONE_PROCESS, projectOf, releaseCommit } from './released-charts.mjs';
import { releasesOf } from './releases.mjs';
import { ARCHITECTURES, buildLayout, checkout } from './supply/build.mjs';
import { openCosign, WITHOUT_LOG, writePublicKey } from './supply/cosign.mjs';
import { readLayout } from './supply/layout.mjs';
import { provenance } from './supply/provenance.mjs';
import { scan } from './supply/scan.mjs';

const SBOM = 'app/sbom.cdx.json';
/** As cosign names its type. */
const PROVENANCE = 'slsaprovenance1';
const BASE = 'org.opencontainers.image.base.name';
const work = mkdtempSync(join(tmpdir(), 'svc-release-supply-'));

function registry(variable, example) {
  const [, scheme, name] = /^(?:(https?):\/\/)?([^/\s][^\s]*?)\/*$/.exec(process.env[variable] ?? '') ?? [];
  if (!name) throw new Error(`${variable} names the registry and the path in it, e.g. ${example}`);
  return { name, isPlain: scheme === 'http' };
}

/** The last releases of services and of the one process, of those named. */
function released(only) {
  const services = releasedProjects(root).filter(({ kind }) => kind === 'service');
  const images = new Map([...services.map(({ name }) => [name, name]), [ONE_PROCESS.image, ONE_PROCESS.project]]);
  const unknown = only.filter((name) => !images.has(name));
  if (unknown.length > 0) throw new Error(`no such service: ${unknown.join(', ')}; there are: ${[...images.keys()].join(', ')}`);
  return [...images]
    .filter(([service]) => only.length === 0 || only.includes(service))
    .flatMap(([service, project]) => {
      const [last] = releasesOf(root, project);
      return last ? [{ service, version: last.version, commit: releaseCommit(root, project, last.version) }] : [];
    });
}

/** What an image has to be before it is published. */
function check({ service, version, commit }, { images }) {
  const missing = ARCHITECTURES.filter((name) => !images[name]);
  if (missing.length > 0) throw new Error(`${service} ${version} has no image for ${missing.join(', ')}`);
  for (const [name, { labels }] of Object.entries(images)) {
    const label = (key) => labels[`org.opencontainers.image.${key}`];
    if (label('title') !== service || label('version') !== version || label('revision') !== commit)
      throw new Error(
        `the image for ${name} is ${label('title')} ${label('version')} of ${label('revision')}, not ${service} ${version} of ${commit}`,
      );
    if (!/@sha256:[0-9a-f]{64}$/.test(labels[BASE] ?? ''))
      throw new Error(`the image of ${service} for ${name} does not say which base it has, by its digest`);
  }
}

const written = (name, value) => {
  const path = join(work, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

/** @returns what was published, with its digest */
async function publishImage(release, { name: place, cosign, layouts }) {
  const { service, version, commit } = release;
  const what = `${service} ${version}`;
  const tag = `${place}/${service}:${version}`;
  const there = cosign.digestOf(tag);
  // Another build of it could have other bytes. What a run that was broken off has left has no tag.
  if (!layouts && there !== undefined && cosign.isDone(`${place}/${service}@${there}`, ['cyclonedx', PROVENANCE]))
    return { what, digest: `${place}/${service}@${there}`, more: ' already' };
  const folder = layouts ? join(layouts, service) : buildLayout(release, work);
  const layout = await readLayout(folder, SBOM);
  check(release, layout);
  const [[, first]] = Object.entries(layout.images);
  const sbom = written(`${service}.cdx.json`, first.file);
  const by = scan(sbom, { sources: process.env.SCANNER ? work : checkout(commit, work), service });

  if (there !== undefined && there !== layout.digest)
    throw new Error(`${tag} is there with other content, and a released version is not replaced`);
  const digest = `${place}/${service}@${layout.digest}`;
  if (there === undefined) cosign.push(folder, digest);
  cosign.sign(digest);
  cosign.attest(digest, 'cyclonedx', sbom);
  const from = provenance({ kind: 'image', name: service, version, commit, base: first.labels[BASE] });
  cosign.attest(digest, PROVENANCE, written(`${service}.slsa.json`, from));
  if (there === undefined) cosign.push(folder, tag);
  return { what, digest, more: `, scanned by ${by}` };
}

/** Pushes the charts, then signs what the registry has of them. */
function publishCharts(cosign) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'push-charts.mjs')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  const { name: place } = registry('OCI_REGISTRY', 'registry.example.com/charts');
  return [...stdout.matchAll(/^(\S+) (\S+) (sha256:[0-9a-f]{64}) /gm)].map(([, chart, version, of]) => {
    const digest = `${place}/${chart}@${of}`;
    cosign.sign(digest);
    const commit = releaseCommit(root, projectOf(chart), version);
    cosign.attest(digest, PROVENANCE, written(`${chart}-chart.slsa.json`, provenance({ kind: 'chart', name: chart, version, commit })));
    return { what: `chart ${chart} ${version}`, digest, more: '' };
  });
}

const verify = (key, digest) => `cosign verify --key ${key} ${WITHOUT_LOG} ${digest}
cosign verify-attestation --key ${key} ${WITHOUT_LOG} --type ${PROVENANCE} ${digest}`;

try {
  const options = { key: { type: 'string' }, layouts: { type: 'string' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const key = values.key ?? process.env.COSIGN_KEY;
  if (!key) throw new Error('--key names the file of the private key, which `cosign generate-key-pair` makes');
  const { name, isPlain } = registry('IMAGE_REGISTRY', 'registry.example.com/invoicing-platform');
  registry('OCI_REGISTRY', 'registry.example.com/charts');
  const publicKey = join(work, 'cosign.pub');
  writePublicKey(key, publicKey);
  const cosign = openCosign({ key, publicKey, isPlain });
  const releases = released(positionals);
  if (releases.length === 0) throw new Error('no service was released yet: npm run release');
  const published = [];
  const layouts = values.layouts && resolve(values.layouts);
  for (const release of releases) published.push(await publishImage(release, { name, cosign, layouts }));
  published.push(...publishCharts(cosign));
  for (const { what, digest, more } of published) console.log(`${what} ${digest} signed${more}`);
  console.log(
    `\nHow others verify, with the public key (cosign public-key --key ${key} > cosign.pub):\n${verify('cosign.pub', published[0].digest)}`,
  );
} catch (error) {
  console.error(`npm run release:supply: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true });
}
