// Preloaded into a server: the most processor time that a read of its database took in one go, for each text of a statement. Begins anew at SIGUSR2, and is written
// to the file BENCH_STATEMENTS when the server ends.
import { writeFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';

const { iterate } = StatementSync.prototype;
const longest = new Map();

/** Of this thread, in milliseconds. */
function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function timed(statement, work) {
  const began = cpuMs();
  const found = work();
  const took = cpuMs() - began;
  const text = statement.sourceSQL;
  if (took > (longest.get(text) ?? 0)) longest.set(text, took);
  return found;
}

for (const name of ['get', 'all']) {
  const own = StatementSync.prototype[name];
  StatementSync.prototype[name] = function (...values) {
    return timed(this, () => own.apply(this, values));
  };
}
/** Reads all at once: the product leaves an iteration in the turn in which it begins. */
StatementSync.prototype.iterate = function (...values) {
  return timed(this, () => [...iterate.apply(this, values)])[Symbol.iterator]();
};

process.on('SIGUSR2', () => longest.clear());
process.once('exit', () => {
  const found = [...longest].map(([sql, ms]) => ({ sql, ms })).toSorted((one, other) => other.ms - one.ms);
  writeFileSync(process.env.BENCH_STATEMENTS, JSON.stringify(found.slice(0, 20)));
});
