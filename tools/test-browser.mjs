// npm run test:browser: the dashboard's tasks and the look of all pages in Debian's Chromium, which CHROMIUM names elsewhere. PICTURES=folder keeps a picture of
// each page in light, dark and narrow. Arguments after `--` choose files by parts of their paths.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';
import { openTally, run } from './tally.mjs';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(chromium)) {
  console.error(`There is no ${chromium}: install Debian's package chromium, or name another browser by CHROMIUM.`);
  process.exit(1);
}
const tally = openTally();
if (await tally.step('build', () => run(process.execPath, [join(root, 'tools/build.mjs'), 'standalone'])))
  await tally.jest(process.argv.slice(2), { TESTS: 'browser' });
tally.end();
