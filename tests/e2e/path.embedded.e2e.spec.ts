import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** Lower it with the code; the goal is in bench/path.mjs. */
const MOST = 75;

test('the way of POST /invoices through our files does not grow', () => {
  const program = `import { run } from '${join(root, 'bench/path.mjs')}';
    const [{ value }] = await run();
    console.log('\\n' + value);
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(Number(stdout.trim().split('\n').at(-1))).toBeLessThanOrEqual(MOST);
});
