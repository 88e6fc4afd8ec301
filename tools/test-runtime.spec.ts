import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

test('what a test file leaves behind is not there for the next one in its process', () => {
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--runInBand', 'tools/left-behind'];
  const { TESTS: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, jest, { cwd: root, encoding: 'utf8', env });
  expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
  expect(status).toBe(0);
});
