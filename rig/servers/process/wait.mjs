// Bounded waiting.

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks every 50 ms until the answer is truthy, and gives it; undefined when `ms` are over.
 *
 * @template T
 * @param {number} ms
 * @param {() => T | Promise<T>} probe throwing ends the wait
 */
export async function within(ms, probe) {
  for (const end = Date.now() + ms; ; await sleep(50)) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() >= end) return undefined;
  }
}
