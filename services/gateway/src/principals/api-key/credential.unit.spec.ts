import { newKeyValue } from '../../keys/key-format.ts';
import { credentialOf, keyProblemOf, invalidKey } from './resolve-key.ts';

const [test_key, live_key] = [newKeyValue('test'), newKeyValue('live')];

describe('the key of a request', () => {
  test.each([
    [{ authorization: `Bearer ${test_key}` }, { value: test_key }],
    [{ authorization: `bEARER  ${test_key} ` }, { value: test_key }],
    [{ 'x-api-key': test_key }, { value: test_key }],
    [{ authorization: `Bearer ${test_key}`, 'x-api-key': test_key }, { value: test_key }],
    [{}, { problem: 'missing' }],
    [{ 'x-api-key': '' }, { problem: 'missing' }],
    [{ authorization: `Bearer ${test_key}`, 'x-api-key': live_key }, { problem: 'differ' }],
    [{ authorization: `Basic ${test_key}` }, { problem: 'scheme' }],
    [{ authorization: test_key }, { problem: 'scheme' }],
  ])('%j', (headers, credential) => expect(credentialOf(headers)).toEqual(credential));
});

describe('why a key is not taken', () => {
  const hosts = new Map([
    ['api.example', 'live'],
    ['sandbox.example', 'sandbox'],
  ] as const);
  const mistyped = test_key.replace(/.{6}$/, (end) => (end === '000000' ? '000001' : '000000'));

  test.each([
    ['hello', undefined, 'form'],
    ['', undefined, 'form'],
    [`"${test_key}"`, undefined, 'form'],
    [test_key.slice(0, -1), undefined, 'form'],
    [mistyped, undefined, 'checksum'],
    [mistyped, 'api.example', 'checksum'],
    [test_key, 'API.example:443', 'live_host'],
    [live_key, 'sandbox.example', 'sandbox_host'],
    [live_key, 'api.example', 'unknown'],
    [test_key, 'elsewhere.example', 'unknown'],
    [test_key, undefined, 'unknown'],
  ])('%s at %s: %s', (value, host, problem) => expect(keyProblemOf(value, hosts, host)).toBe(problem));

  test('each problem has its own words, under one code', () => {
    const errors = (['missing', 'scheme', 'differ', 'form', 'checksum', 'live_host', 'sandbox_host', 'unknown'] as const).map(invalidKey);
    expect(new Set(errors.map(({ message }) => message)).size).toBe(8);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['invalid_api_key']));
  });
});
