// The order of Jest's files: the longest first, so that at the end no processor waits for one file. Durations are known from earlier runs in this clone.
// Without any, these come first, then whole systems, and unit tests last.
import Sequencer from '@jest/test-sequencer';

/** Those of ten seconds of a processor or more, by the profile that each run prints, the longest first: how their paths begin, from the last folder. */
export const LONGEST = `
  servers/kill.servers image/image.servers e2e/shared-system kafka/outage.servers
  kafka/kafka-bus.servers kafka/kafka.servers e2e/void-by-corrective projections/rebuild.servers
  e2e/batches-under-kill kafka/group.servers mongodb/faults.servers src/power-cut
  simulation/simulation e2e/erasure eventstoredb/left-calls e2e/kill.embedded
  e2e/start-errors pdf/script-pages e2e/retention amounts/amounts
  eventstoredb/eventstoredb pdf/pdf answers/whole-answers credentials/pkcs12
  projections/plans release/release proxy/large-lists answers/large-answers
  routing/linear e2e/polling-under-kill src/retention proxy/repetition
`
  .trim()
  .split(/\s+/);
const TIERS = [/\/tests\/.*(?<!\.unit)\.spec\.ts$/, /(?<!\.(int|unit))\.spec\.ts$/, /\.int\.spec\.ts$/, /./];
const rank = ({ path }) => {
  const longest = LONGEST.findIndex((beginning) => path.includes(`/${beginning}.`));
  return longest === -1 ? LONGEST.length + TIERS.findIndex((pattern) => pattern.test(path)) : longest;
};

export default class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const unknown = sorted.filter(({ duration }) => duration == null).sort((one, other) => rank(one) - rank(other));
    return [...unknown, ...sorted.filter(({ duration }) => duration != null)];
  }
}
