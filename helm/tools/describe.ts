// npm run charts:describe: writes values.schema.json and README.md of every chart.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './values/generated-files.ts';
import { chartsFolder } from './values/documented-values.ts';

for (const [path, text] of await generatedFiles()) writeFileSync(join(chartsFolder, path), text);
