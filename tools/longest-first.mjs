// The order of Jest's files: the longest first, so that at the end no processor waits for one file. How long a file takes is known from earlier
// runs in this clone. Where nothing is known, files that start programs come first, unit tests last.
import Sequencer from '@jest/test-sequencer';

const tier = ({ path }) => (path.endsWith('.unit.spec.ts') ? 2 : path.endsWith('.int.spec.ts') ? 1 : 0);

export default class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration != null)) return sorted;
    return sorted.sort((one, other) => tier(one) - tier(other));
  }
}
