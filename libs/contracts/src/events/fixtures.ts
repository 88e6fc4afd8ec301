import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The frozen example of a type, as it stands on the bus. For tests of those who publish or consume it. */
export function fixtureOf(type: string): string {
  const [file = `fixtures/${type}.json`] = globSync(`*/fixtures/${type}.json`, { cwd: sources });
  return readFileSync(join(sources, file), 'utf8');
}

const sources = join(import.meta.dirname, '..');
