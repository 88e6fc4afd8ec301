// npm run release:charts: pushes the last release of every chart to the OCI registry OCI_REGISTRY (registry.example.com/charts), unless it is there already.
// A registry without TLS is named with http:// before it. Credentials are those of `helm registry login`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helmProgram } from '../../helm/tools/helm.mjs';
import { root } from '../setup.mjs';
import { haveEqualFiles } from './archive.mjs';
import { packageReleased } from './released-charts.mjs';

const work = mkdtempSync(join(tmpdir(), 'svc-release-charts-'));

function registry(text) {
  const [, scheme, name] = /^(?:(https?|oci):\/\/)?([^/\s][^\s]*?)\/*$/.exec(text ?? '') ?? [];
  if (!name) throw new Error('OCI_REGISTRY names the registry and the path in it, e.g. registry.example.com/charts');
  return { place: `oci://${name}`, options: scheme === 'http' ? ['--plain-http'] : [] };
}

/** Pushes an archive. @returns its digest in the registry, and whether it was there already */
async function publish({ chart, version, archive }, place, options) {
  const there = pulled(chart, version, place, options);
  if (!there) return `${digestOf(helm(['push', archive, place, ...options]))} pushed`;
  if (!(await haveEqualFiles(there.archive, archive)))
    throw new Error(`${place}/${chart} has another ${version} than releases/ says, and a released version is not replaced`);
  return `${there.digest} was there already`;
}

/** What the registry has; undefined if it has no such version. */
function pulled(chart, version, place, options) {
  const folder = join(work, 'pulled');
  mkdirSync(folder, { recursive: true });
  const done = helm(
    ['pull', `${place}/${chart}`, '--version', version, '--destination', folder, ...options],
    /not found|name.unknown|manifest.unknown/i,
  );
  return done && { digest: digestOf(done), archive: join(folder, `${chart}-${version}.tgz`) };
}

const digestOf = (said) => /sha256:[0-9a-f]{64}/.exec(said)?.[0] ?? 'without a digest';

/** What Helm says; undefined if it fails as `absent` says. */
function helm(args, absent) {
  const { status, stdout, stderr } = spawnSync(helmProgram(), args, { encoding: 'utf8' });
  if (status === 0) return `${stdout}${stderr}`;
  if (absent?.test(stderr)) return undefined;
  throw new Error(`helm ${args[0]}: ${stderr.trim()}`);
}

try {
  const { place, options } = registry(process.env.OCI_REGISTRY);
  const released = await packageReleased(root, work);
  if (released.length === 0) throw new Error('no chart was released yet: npm run release');
  for (const chart of released) console.log(`${chart.chart} ${chart.version} ${await publish(chart, place, options)}`);
} catch (error) {
  console.error(`npm run release:charts: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true });
}
