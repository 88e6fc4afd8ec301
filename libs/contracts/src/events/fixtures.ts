import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The frozen example of a type, as it stands on the bus. For tests of those who publish or consume it. */
export const fixtureOf = (type: string): string => readFileSync(join(import.meta.dirname, 'fixtures', `${type}.json`), 'utf8');
