import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartsFolder } from './documented-values.ts';
import { generatedFiles } from './generated-files.ts';

test('the schemas and READMEs of the charts are those that npm run charts:describe makes', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect({ path, text: readFileSync(join(chartsFolder, path), 'utf8') }).toEqual({ path, text });
  }
});
