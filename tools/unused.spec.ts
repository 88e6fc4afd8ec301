import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const probes: Record<string, string> = {
  'probe-used.ts': `import type { Late } from './probe-late.ts';\nexport interface Early { late?: Late }\nexport const unusedProbe = 1;\n`,
  'probe-late.ts': `import type { Early } from './probe-used.ts';\nexport interface Late { early?: Early }\n`,
  'probe.unit.spec.ts': `import type { Early } from './probe-used.ts';\ntest('', () => undefined as unknown as Early);\n`,
};
const remove = (): void => {
  for (const name of Object.keys(probes)) rmSync(join(root, 'libs/kernel/src', name), { force: true });
};

test('names an unused export, files that only a test uses, and a cycle of types', () => {
  process.once('exit', remove);
  try {
    for (const [name, text] of Object.entries(probes)) writeFileSync(join(root, 'libs/kernel/src', name), text);
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'tools/unused.mjs')], {
      cwd: root,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(status).not.toBe(0);
    expect(stdout).toMatch(/Unused exports \(1\)\nunusedProbe/);
    expect(stdout).toMatch(/Circular dependencies \(1\)/);
    expect(stdout).toMatch(/Unused files \(2\)\nlibs\/kernel\/src\/probe-late\.ts\s+libs\/kernel\/src\/probe-used\.ts/);
  } finally {
    remove();
    process.removeListener('exit', remove);
  }
});
