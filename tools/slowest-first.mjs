// The order of Jest's files: those that take long begin first, so that at the end no processor waits for one file. Jest itself goes by the times of
// an earlier run, which a fresh clone has not.
import Sequencer from '@jest/test-sequencer';

/** By the end of their paths: over ten seconds each, the longest first. */
const SLOW = [
  'simulation.int.spec.ts',
  'eventstoredb/src/probes.int.spec.ts',
  'kill.embedded.e2e.spec.ts',
  'start-errors.embedded.e2e.spec.ts',
  'frozen-folder.embedded.e2e.spec.ts',
  'eventstoredb/faults.int.spec.ts',
  'answers/large-answers.int.spec.ts',
  'proxy/large-lists.int.spec.ts',
  'routing/linear.unit.spec.ts',
  'lint-boundaries.spec.ts',
];

export default class extends Sequencer {
  sort(tests) {
    const place = ({ path }) => SLOW.findIndex((end) => path.endsWith(end));
    const rank = (test) => (place(test) === -1 ? SLOW.length : place(test));
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
