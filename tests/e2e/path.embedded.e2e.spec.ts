import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** Lower them with the code; the goals are in bench/path.mjs. */
const MOST = { post: 63, webhook: 208 };

test('the ways of POST /invoices and of a submission to its webhook through our files do not grow', () => {
  const program = `import { run } from '${join(root, 'bench/path.mjs')}';
    const [post, webhook] = await run();
    console.log('\\n' + JSON.stringify({ post: post.value, webhook: webhook.value }));
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  const { post, webhook } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as typeof MOST;
  expect(post).toBeLessThanOrEqual(MOST.post);
  expect(webhook).toBeLessThanOrEqual(MOST.webhook);
});
