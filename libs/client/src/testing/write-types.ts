import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { consoleTypes } from './console-types.ts';

writeFileSync(fileURLToPath(new URL('../console/generated.ts', import.meta.url)), await consoleTypes());
