// The order of Jest's files: the longest first, so that at the end no processor waits for one file. Durations are known from earlier runs in this clone.
// Without any, these come first, then whole systems, and unit tests last. ORDER=number: an order that the number decides, to find what depends on the order.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { root } from './setup.mjs';

/** Those of ten seconds of a processor or more, by the profile that each run prints, the longest first: how their paths begin, from the last folder. */
export const LONGEST = `
  e2e/shared-system servers/kill.servers image/image.servers kafka/outage.servers
  kafka/kafka-bus.servers kafka/kafka.servers projections/rebuild.servers kafka/group.servers
  mongodb/faults.servers src/power-cut simulation/simulation e2e/erasure
  eventstoredb/left-calls e2e/kill.embedded e2e/start-errors pdf/script-pages
  e2e/retention amounts/amounts eventstoredb/eventstoredb pdf/pdf
  answers/whole-answers credentials/pkcs12 projections/plans release/release
  proxy/large-lists answers/large-answers routing/linear e2e/polling-under-kill
  src/retention proxy/repetition
`
  .trim()
  .split(/\s+/);
const TIERS = [/\/tests\/.*(?<!\.unit)\.spec\.ts$/, /(?<!\.(int|unit))\.spec\.ts$/, /\.int\.spec\.ts$/, /./];
const rank = ({ path }) => {
  const longest = LONGEST.findIndex((beginning) => path.includes(`/${beginning}.`));
  return longest === -1 ? LONGEST.length + TIERS.findIndex((pattern) => pattern.test(path)) : longest;
};

/** The same for each clone. */
export function inOrder(tests, order) {
  const hash = ({ path }) =>
    createHash('sha256')
      .update(`${order} ${relative(root, path)}`)
      .digest('hex');
  const hashes = new Map(tests.map((test) => [test, hash(test)]));
  return tests.toSorted((one, other) => (hashes.get(one) < hashes.get(other) ? -1 : 1));
}

export default class extends Sequencer {
  sort(tests) {
    if (process.env.ORDER) return inOrder(tests, process.env.ORDER);
    const sorted = super.sort(tests);
    const unknown = sorted.filter(({ duration }) => duration == null).sort((one, other) => rank(one) - rank(other));
    return [...unknown, ...sorted.filter(({ duration }) => duration != null)];
  }
}
