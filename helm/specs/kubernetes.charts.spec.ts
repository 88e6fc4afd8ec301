import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { charts, umbrella } from '../tools/charts.mjs';
import { problemsOf } from '../tools/kubernetes-validate.mjs';
import { customKinds, validateCustom } from '../testing/custom-kinds.ts';
import type { Manifest } from '../testing/manifests.ts';
import { chartFolder, example, examples, helm, renderExample, required } from '../testing/render.ts';

const releases = ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36'];

/** The different objects of all examples: most are the same in each. */
const manifests = new Map<string, Manifest>();
let problems: string[];
beforeAll(() => {
  for (const manifest of examples.flatMap((name) => renderExample(name))) manifests.set(JSON.stringify(manifest), manifest);
  const own = [...manifests.values()].filter(({ kind }) => !customKinds.includes(kind));
  problems = validated(own, releases);
});

function validated(objects: Manifest[], of: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kubernetes-'));
  const file = join(folder, 'objects.yaml');
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  try {
    return problemsOf(file, of) as string[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('there are examples of every choice that the values have', () => {
  expect(examples.length).toBeGreaterThanOrEqual(12);
  const kinds = new Set([...manifests.values()].map(({ kind }) => kind));
  for (const kind of [...customKinds, 'Ingress', 'HorizontalPodAutoscaler', 'Job', 'PersistentVolumeClaim']) expect(kinds).toContain(kind);
});

test.each(releases)('Kubernetes %s knows every object of every example, and all its fields', (release) => {
  expect(problems.filter((problem) => problem.startsWith(`${release} `))).toEqual([]);
});

test('an object that a release does not know, or a field of it, is a problem', () => {
  const wrong = [...manifests.values()].filter(({ kind }) => kind === 'Service').map((service) => ({ ...service, spek: {} }));
  expect(validated(wrong.slice(0, 1), ['1.31'])).toEqual([expect.stringMatching(/^1\.31 Service [\w-]+: .*'spek' was unexpected/)]);
});

test('objects of custom kinds are as their schemas say, without a field that these do not know', async () => {
  const custom = [...manifests.values()].filter(({ kind }) => customKinds.includes(kind));
  expect(new Set(custom.map(({ kind }) => kind)).size).toBe(customKinds.length);
  for (const manifest of custom) await validateCustom(manifest);
  const [some] = custom.filter(({ kind }) => kind === 'ScaledObject');
  await expect(validateCustom({ ...some, spek: {} } as unknown as Manifest)).rejects.toThrow('/spek');
});

test.each(charts as string[])('helm lint --strict finds nothing in %s', (chart) => {
  const { status, stdout } = helm(['lint', '--strict', chartFolder(chart)], chart === umbrella ? example('minimal') : required(chart));
  expect({ status, stdout: stdout.replace(/\[INFO\].*/g, '') }).toMatchObject({
    status: 0,
    stdout: expect.not.stringMatching(/WARNING|ERROR/),
  });
});
