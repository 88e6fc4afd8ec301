import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const probes: Record<string, string> = {
  'probe-used.ts': `import type { Late } from './probe-late.ts';\nexport interface Early { late?: Late }\nexport const unusedProbe = 1;\n`,
  'probe-late.ts': `import type { Early } from './probe-used.ts';\nexport interface Late { early?: Early }\n`,
  'probe.unit.spec.ts': `import type { Early } from './probe-used.ts';\ntest('', () => undefined as unknown as Early);\n`,
};

test('names an unused export, files that only a test uses, and a cycle of types', () => {
  const added = mkdtempSync(join(tmpdir(), 'svc-unused-spec-'));
  const folder = join(added, 'libs/kernel/src');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(probes)) writeFileSync(join(folder, name), text);
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'tools/unused.mjs'), added], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  rmSync(added, { recursive: true });
  expect(status).not.toBe(0);
  expect(stdout).toMatch(/Unused exports \(1\)\nunusedProbe/);
  expect(stdout).toMatch(/Circular dependencies \(1\)/);
  expect(stdout).toMatch(/Unused files \(2\)\nlibs\/kernel\/src\/probe-late\.ts\s+libs\/kernel\/src\/probe-used\.ts/);
});
