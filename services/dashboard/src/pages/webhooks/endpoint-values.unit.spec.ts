import { changesOf, creationOf, emptyEndpoint, mergedValues, newHeader, valuesOf } from './endpoint-values.ts';
import type { Endpoint } from './endpoints.ts';

const endpoint = {
  ...{ url: 'https://shop.example/hooks', events: ['invoice.submitted'], description: null, rate_per_second: 5 },
  header_names: ['X-Token', 'X-Shop'],
} as unknown as Endpoint;
const shown = valuesOf(endpoint);

test('a form that nobody touched changes nothing', () => {
  expect(changesOf(endpoint, shown)).toEqual({});
});

test('a header that was taken away is sent as null, a new value as it is, and one that was left alone not at all', () => {
  const headers = [
    ...shown.headers.filter(({ name }) => name === 'X-Token'),
    { ...newHeader(), name: 'X-New', value: 'a' },
    { ...newHeader(), name: ' ', value: 'without a name' },
  ];
  expect(changesOf(endpoint, { ...shown, headers })).toEqual({ headers: { 'X-Shop': null, 'X-New': 'a' } });
});

test('an empty limit and description are null', () => {
  expect(changesOf(endpoint, { ...shown, rate: '' })).toEqual({ rate_per_second: null });
  expect(creationOf({ ...emptyEndpoint, url: ' https://a.example ', events: ['*'], description: ' ' })).toEqual({
    ...{ url: 'https://a.example', events: ['*'], description: null, rate_per_second: null },
  });
});

test('of what two people change at once each header is merged by itself', () => {
  const now = { ...endpoint, url: 'https://new.example/hooks', header_names: ['X-Token', 'X-Shop', 'X-Theirs'] } as unknown as Endpoint;
  const mine = {
    ...shown,
    rate: '9',
    headers: [...shown.headers.filter(({ name }) => name !== 'X-Shop'), { ...newHeader(), name: 'X-Mine', value: 'a' }],
  };
  const merged = mergedValues({ before: shown, now: valuesOf(now), mine });
  expect(changesOf(now, merged)).toEqual({ rate_per_second: 9, headers: { 'X-Shop': null, 'X-Mine': 'a' } });
});
