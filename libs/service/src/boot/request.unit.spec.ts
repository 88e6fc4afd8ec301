import { isRawNumber, numberText, DomainError } from '@svc/kernel';
import { parseBody } from './request.ts';

const parse = (text: string | Buffer) => parseBody(Buffer.from(text as string));
const refused = (text: string | Buffer): string => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'taken';
};

describe('the JSON parser', () => {
  test('trims strings and normalizes them to NFC, at any depth, escaped or not, and leaves keys unchanged', () => {
    expect(parse('{" a ":" x ","b":[{"c":"\\tCafe\\u0301 "}],"d":" Cafe\u0301"}')).toEqual({
      ' a ': 'x',
      b: [{ c: 'Caf\u00e9' }],
      d: 'Caf\u00e9',
    });
  });

  test('keeps the digits of a number that a double cannot hold', () => {
    const { price } = parse('{"price":1234567890.1234567}') as { price: unknown };
    expect([isRawNumber(price), numberText(price)]).toEqual([true, '1234567890.1234567']);
  });

  test.each(['{', '{"a":}', "{'a':1}", '{"a":1,}', 'a=1', '{} {}', 'undefined', '{"a":"b\nc"}', '\u0000'])('rejects %j', (text) => {
    expect(refused(text)).toBe('invalid_request');
  });

  test('keeps what the schemas reject: lone surrogates and long runs of combining marks', () => {
    expect(parse('{"a":" \\ud800 "}')).toEqual({ a: '\ud800' });
    const marks = '\u0301\u0316'.repeat(20);
    expect(parse(`{"a":"e${marks}"}`)).toEqual({ a: `e${marks}` });
  });

  test('rejects what is not UTF-8', () => expect(refused(Buffer.from([0x22, 0xff, 0x22]))).toBe('invalid_request'));

  test('rejects fields named __proto__, and takes every other name as it is', () => {
    expect(refused('{"__proto__":{"admin":true}}')).toBe('invalid_request');
    expect(refused('{"a":[{"__proto__":1}]}')).toBe('invalid_request');
    const names = ['constructor', 'prototype', 'toString', 'toJSON', 'hasOwnProperty', 'valueOf', 'then', 'length', ''];
    const parsed = parse(`{${names.map((name) => `${JSON.stringify(name)}:"x"`).join()}}`) as object;
    expect(Object.entries(parsed)).toEqual(names.map((name) => [name, 'x']));
    expect({}.constructor).toBe(Object);
  });

  test('ignores a byte order mark before the text, and nothing else that comes before it', () => {
    expect(parse('\ufeff{"a":"b"}')).toEqual({ a: 'b' });
    expect(parse('\ufeff')).toEqual({});
    expect(refused('\ufeff\ufeff{}')).toBe('invalid_request');
    expect(refused(Buffer.from('\ufeff{}', 'utf16le'))).toBe('invalid_request');
  });

  test('rejects deep nesting, also where numbers are read exactly', () => {
    const deep = (inside: string, n: number): string => '['.repeat(n) + inside + ']'.repeat(n);
    expect(refused(deep('', 20_000))).toBe('invalid_request');
    expect(refused(deep('12345678901234567890', 200_000))).toBe('invalid_request');
    expect(refused(deep('1', 20))).toBe('taken');
  });

  test('rejects an object with too many fields', () => {
    const fields = (n: number): string => `[{${Array.from({ length: n }, (_, at) => `"k${at}":0`).join()}}]`;
    expect([refused(fields(1_000)), refused(fields(1_001))]).toEqual(['taken', 'invalid_request']);
  });

  test('does not repeat the body in its message', () => {
    expect(() => parse('{"password":"hunter2"')).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });
});
