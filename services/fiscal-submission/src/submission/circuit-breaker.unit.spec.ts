import { CircuitBreaker } from './circuit-breaker.ts';

const of = (_id: string, account = 'one') => ({ _id, account });
const failures = (breaker: CircuitBreaker, documents: number, { now = 0, account = 'one' } = {}): void => {
  for (let n = 1; n <= documents; n += 1) breaker.record(of(`${account} ${n}`, account), false, now);
};

test('stays closed for one document without a response, however often', () => {
  const breaker = new CircuitBreaker(1);
  for (let n = 0; n < 100; n += 1) breaker.record(of('doc'), false, 0);
  expect(breaker.admit(of('other'), 0)).toEqual({ go: true });
  expect(breaker.isOpen()).toBe(false);
});

describe.each([
  ['of one account', (breaker: CircuitBreaker, now: number) => failures(breaker, 10, { now })],
  [
    'of two accounts',
    (breaker: CircuitBreaker, now: number) => {
      failures(breaker, 5, { now });
      failures(breaker, 5, { now, account: 'two' });
    },
  ],
])('after ten in a row, %s', (_accounts, fail) => {
  test('opens: tries one after 30 s while the others wait for its result', () => {
    const breaker = new CircuitBreaker(1);
    fail(breaker, 1_000);
    expect(breaker.isOpen()).toBe(true);
    expect(breaker.admit(of('a'), 2_000)).toEqual({ go: false, until: 31_000 });
    expect(breaker.admit(of('a'), 31_000)).toEqual({ go: true });
    expect(breaker.admit(of('b'), 31_000)).toEqual({ go: false, until: 32_000 });
    breaker.record(of('a'), false, 31_500);
    breaker.release(of('a'));
    expect(breaker.admit(of('b'), 32_000)).toEqual({ go: false, until: 61_500 });
    expect(breaker.admit(of('b'), 61_500)).toEqual({ go: true });
    breaker.record(of('b'), true, 61_600);
    breaker.release(of('b'));
    expect(breaker.admit(of('c'), 61_600)).toEqual({ go: true });
    expect(breaker.isOpen()).toBe(false);
  });

  test('admits another probe when one was never made', () => {
    const breaker = new CircuitBreaker(1);
    fail(breaker, 0);
    expect(breaker.admit(of('a'), 30_000)).toEqual({ go: true });
    breaker.release(of('a'));
    expect(breaker.admit(of('b'), 30_000)).toEqual({ go: true });
  });

  test('a clock that is set back holds nothing for longer', () => {
    const breaker = new CircuitBreaker(1);
    fail(breaker, 3_600_000);
    expect(breaker.admit(of('a'), 3_601_000)).toEqual({ go: false, until: 3_630_000 });
    expect(breaker.admit(of('a'), 1_000)).toEqual({ go: true });
  });
});

test('starts counting again after a response', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 9);
  breaker.record(of('x'), true, 0);
  failures(breaker, 9);
  expect(breaker.admit(of('y'), 0)).toEqual({ go: true });
});

test('documents of one account, however many, hold no other account, also where one of its own fails', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 4, { account: 'two' });
  failures(breaker, 1_000);
  expect(breaker.admit(of('a', 'two'), 0)).toEqual({ go: true });
  expect(breaker.admit(of('a', 'three'), 0)).toEqual({ go: true });
  expect(breaker.admit(of('a'), 0)).toEqual({ go: false, until: 30_000 });
});

test('what is tried for accounts whose circuits are open holds no third one that gets answers', () => {
  const breaker = new CircuitBreaker(1);
  for (const account of ['one', 'two']) {
    failures(breaker, 10, { account });
    breaker.record(of('a', 'three'), true, 0);
  }
  for (const account of ['one', 'two']) failures(breaker, 10, { account, now: 60_000 });
  expect(breaker.isOpenToAll()).toBe(false);
  expect(breaker.admit(of('b', 'three'), 60_000)).toEqual({ go: true });
  expect(breaker.admit(of('a', 'two'), 60_000)).toEqual({ go: false, until: 90_000 });
});

test('a response to one account closes no circuit of another', () => {
  const breaker = new CircuitBreaker(1);
  failures(breaker, 10, { now: 1_000 });
  breaker.record(of('a', 'two'), true, 2_000);
  expect(breaker.isOpen()).toBe(false);
  expect(breaker.admit(of('a'), 2_000)).toEqual({ go: false, until: 31_000 });
});

test('opens to all at once where no message of any document is taken, and is closed', () => {
  const breaker = new CircuitBreaker(1);
  breaker.open(1_000);
  expect([breaker.isOpen(), breaker.isOpenToAll()]).toEqual([true, true]);
  expect(breaker.admit(of('a'), 2_000)).toEqual({ go: false, until: 31_000 });
  breaker.record(of('a'), true, 31_000);
  expect(breaker.admit(of('b', 'two'), 31_000)).toEqual({ go: true });
  breaker.open(1_000);
  breaker.close();
  expect(breaker.admit(of('b'), 2_000)).toEqual({ go: true });
});
