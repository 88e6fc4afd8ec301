import { CircuitBreaker } from './circuit-breaker.ts';

const failures = (breaker: CircuitBreaker, documents: number, now = 0): void => {
  for (let n = 1; n <= documents; n += 1) breaker.record(`doc${n}`, false, now);
};

test('stays closed for one document without a response, however often', () => {
  const breaker = new CircuitBreaker(1);
  for (let n = 0; n < 100; n += 1) breaker.record('doc', false, 0);
  expect(breaker.admit('other', 0)).toEqual({ go: true });
});

test('opens after ten in a row: tries one after 30 s while the others wait for its result', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 10, 1_000);
  expect(breaker.admit('a', 2_000)).toEqual({ go: false, until: 31_000 });
  expect(breaker.admit('a', 31_000)).toEqual({ go: true });
  expect(breaker.admit('b', 31_000)).toEqual({ go: false, until: 32_000 });
  breaker.record('a', false, 31_500);
  breaker.release('a');
  expect(breaker.admit('b', 32_000)).toEqual({ go: false, until: 61_500 });
  expect(breaker.admit('b', 61_500)).toEqual({ go: true });
  breaker.record('b', true, 61_600);
  breaker.release('b');
  expect(breaker.admit('c', 61_600)).toEqual({ go: true });
});

test('starts counting again after a response', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 9);
  breaker.record('x', true, 0);
  failures(breaker, 9);
  expect(breaker.admit('y', 0)).toEqual({ go: true });
});

test('admits another probe when one was never made', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 10);
  expect(breaker.admit('a', 30_000)).toEqual({ go: true });
  breaker.release('a');
  expect(breaker.admit('b', 30_000)).toEqual({ go: true });
});

test('opens at once where no message of any document is taken', () => {
  const breaker = new CircuitBreaker(1);
  breaker.open(1_000);
  expect(breaker.isOpen()).toBe(true);
  expect(breaker.admit('a', 2_000)).toEqual({ go: false, until: 31_000 });
  breaker.record('a', true, 31_000);
  expect(breaker.admit('b', 31_000)).toEqual({ go: true });
});

test('a clock that is set back holds nothing for longer', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 10, 3_600_000);
  expect(breaker.admit('a', 3_601_000)).toEqual({ go: false, until: 3_630_000 });
  expect(breaker.admit('a', 1_000)).toEqual({ go: true });
});
