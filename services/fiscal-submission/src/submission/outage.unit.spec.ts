import { Outage } from './outage.ts';

const silence = (outage: Outage, documents: number, now = 0): void => {
  for (let n = 1; n <= documents; n += 1) outage.heard(`doc${n}`, false, now);
};

test('one document without an answer, however often, breaks nothing', () => {
  const outage = new Outage(1);
  for (let n = 0; n < 100; n += 1) outage.heard('doc', false, 0);
  expect(outage.admit('other', 0)).toEqual({ go: true });
});

test('ten in a row: one is tried after 30 s, the others wait for what it finds', () => {
  const outage = new Outage(1);
  silence(outage, 10, 1_000);
  expect(outage.admit('a', 2_000)).toEqual({ go: false, until: 31_000 });
  expect(outage.admit('a', 31_000)).toEqual({ go: true });
  expect(outage.admit('b', 31_000)).toEqual({ go: false, until: 32_000 });
  outage.heard('a', false, 31_500);
  outage.release('a');
  expect(outage.admit('b', 32_000)).toEqual({ go: false, until: 61_500 });
  expect(outage.admit('b', 61_500)).toEqual({ go: true });
  outage.heard('b', true, 61_600);
  outage.release('b');
  expect(outage.admit('c', 61_600)).toEqual({ go: true });
});

test('an answer in between starts the count again', () => {
  const outage = new Outage(1);
  silence(outage, 9);
  outage.heard('x', true, 0);
  silence(outage, 9);
  expect(outage.admit('y', 0)).toEqual({ go: true });
});

test('a probe that was never made leaves the next one free', () => {
  const outage = new Outage(1);
  silence(outage, 10);
  expect(outage.admit('a', 30_000)).toEqual({ go: true });
  outage.release('a');
  expect(outage.admit('b', 30_000)).toEqual({ go: true });
});
