// The order of Jest's files: the longest first, so that at the end no processor waits for one file. Durations are known from earlier runs in this clone.
// Without any, replicas and whole systems come first, unit tests last.
import Sequencer from '@jest/test-sequencer';

const TIERS = [
  /\/standalone\/src\/servers\/.*\.servers\.spec\.ts$/,
  /\/standalone\/.*(?<!\.unit)\.spec\.ts$/,
  /(?<!\.(int|unit))\.spec\.ts$/,
  /\.int\.spec\.ts$/,
  /./,
];
const tier = ({ path }) => TIERS.findIndex((pattern) => pattern.test(path));

export default class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const unknown = sorted.filter(({ duration }) => duration == null).sort((one, other) => tier(one) - tier(other));
    return [...unknown, ...sorted.filter(({ duration }) => duration != null)];
  }
}
