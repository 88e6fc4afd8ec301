import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@svc/testkit';

// It ends with an error where a state, a stored type or a version is missing in what it made.
test('a data folder of today can be frozen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-frozen-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/freeze-folder.mjs'), folder], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(['README.md', 'data', 'expected.json', 'setup.json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
