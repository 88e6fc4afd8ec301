// A reporter of Jest: how long each test file took, the longest first.
import { relative } from 'node:path';
import { root } from './setup.mjs';

const LEAST_MS = 1_000;
const seconds = (ms) => (ms / 1000).toFixed(1).padStart(6);

export default class {
  onRunComplete(_contexts, { testResults }) {
    const times = testResults
      .map(({ testFilePath, perfStats }) => ({ path: relative(root, testFilePath), ms: perfStats.runtime }))
      .sort((one, other) => other.ms - one.ms);
    const short = times.filter(({ ms }) => ms < LEAST_MS);
    const lines = times.filter(({ ms }) => ms >= LEAST_MS).map(({ path, ms }) => `${seconds(ms)} ${path}`);
    if (short.length > 0) lines.push(`${seconds(short.reduce((sum, { ms }) => sum + ms, 0))} ${short.length} files of less than a second`);
    console.log(`\nSeconds of each test file:\n${lines.join('\n')}`);
  }
}
