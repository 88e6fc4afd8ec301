import { readFileSync } from 'node:fs';
import { consoleTypes } from '../testing/console-types.ts';

test('the types of the client are those of the interface: `node tools/client-types.mjs` generates them', async () => {
  expect(readFileSync(new URL('generated.ts', import.meta.url), 'utf8')).toBe(await consoleTypes());
});
