import { DomainError } from '@svc/kernel';
import { listEnvelope } from './list-envelope.ts';
import { checkVersion, parseIfMatch, preferenceOf, waitSeconds, withoutWait } from './preconditions.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'passed';
};

describe('a list', () => {
  const list = (url: string, query: { page?: number; per_page?: number }, total: number) =>
    listEnvelope({ publicUrl: 'https://api.test', request: { url, query }, total, data: [] });

  test('links keep the other parameters as they were given', () => {
    const { links, meta } = list('/v1/invoices?status=draft&page=2&q=A%2BB+%26+C%3D%2520&per_page=2', { page: 2, per_page: 2 }, 5);
    expect(meta).toEqual({ current_page: 2, per_page: 2, total: 5, last_page: 3 });
    const at = (page: number) => `https://api.test/v1/invoices?status=draft&q=A%2BB+%26+C%3D%2520&per_page=2&page=${page}`;
    expect(links).toEqual({ first: at(1), prev: at(1), next: at(3), last: at(3) });
  });

  test('the link of a page is the same wherever `page` stood in the request', () => {
    const [one, two] = [
      list('/v1/events?page=1&per_page=3', { page: 1, per_page: 3 }, 9),
      list('/v1/events/?per_page=3&page=2', { page: 2, per_page: 3 }, 9),
    ];
    expect([two.links.first, two.links.last]).toEqual([one.links.first, one.links.last]);
    expect(list('/v1/events', {}, 21).links.last).toBe('https://api.test/v1/events?page=2');
  });

  test('an empty list has one page', () => {
    const { meta, links } = list('/v1/products', {}, 0);
    expect([meta.last_page, links.prev, links.next]).toEqual([1, null, null]);
  });

  test('after the end `prev` is the last page', () => {
    const { links } = list('/v1/products?page=9', { page: 9, per_page: 2 }, 3);
    expect([links.prev, links.next]).toEqual([links.last, null]);
  });
});

describe('If-Match', () => {
  test.each([
    ['*', 3, 'passed'],
    ['"3"', 3, 'passed'],
    ['"1", "3"', 3, 'passed'],
    [',"1" ,"3",', 3, 'passed'],
    ['"33"', 3, 'version_conflict'],
    ['W/"3"', 3, 'version_conflict'],
    ['W/"3", "3"', 3, 'passed'],
    ['""', 3, 'version_conflict'],
    ['"a,b"', 3, 'version_conflict'],
    ['3', 3, 'invalid_request'],
    ['"3', 3, 'invalid_request'],
    ['"3" "4"', 3, 'invalid_request'],
    ['"3" x', 3, 'invalid_request'],
    ['', 3, 'invalid_request'],
  ])('%s for version %d: %s', (header, version, outcome) => {
    expect(codeOf(() => checkVersion(parseIfMatch(header), version))).toBe(outcome);
  });

  test('without the header any version passes', () => expect(codeOf(() => checkVersion(undefined, 3))).toBe('passed'));
});

describe('Prefer: wait', () => {
  const asked = (prefer: string | undefined): number => waitSeconds({ headers: { prefer } });
  test.each([
    ['wait=5', 5],
    ['respond-async, WAIT = 7', 7],
    ['wait="9"; x=y', 9],
    ['wait=3, wait=9', 3],
    ['wait=26', 25],
    ['wait=999999999', 25],
    ['note="wait=9, wait=8", wait=4', 4],
    [String.raw`note="a\", wait=9", wait=4`, 4],
  ])('%s', (header, seconds) => expect(asked(header)).toBe(seconds));
  test.each([
    undefined,
    '',
    'wait',
    'wait=0',
    'wait=-1',
    'wait=1.5',
    'wait=soon',
    'await=5',
    'wait=5 6',
    'wait=soon, wait=5',
    'note="wait=5',
    'x; wait=5',
  ])('%s is ignored', (header) => expect(asked(header)).toBe(0));

  test.each([
    ['wait=5', undefined],
    ['amounts=string, WAIT = 7', 'amounts=string'],
    ['wait="9"; x=y, respond-async,wait', 'respond-async'],
    ['await=5', 'await=5'],
    ['note="a, wait=5", wait=5', 'note="a, wait=5"'],
  ])('%s without its waits', (header, others) => expect(withoutWait(header)).toBe(others));
});

describe('a preference', () => {
  const asked = (prefer: string): string | undefined => preferenceOf({ headers: { prefer } }, 'amounts');
  test.each([
    ['amounts=string', 'string'],
    ['wait=5,Amounts = "string" ; a=b', 'string'],
    [String.raw`amounts="str\ing\""`, 'string"'],
    ['amounts=number, amounts=string', 'number'],
    ['amounts, amounts=string', ''],
    ['amounts=""', ''],
    [', ,amounts=string,', 'string'],
    ['note="x, amounts=number", amounts=string', 'string'],
  ])('%s', (header, value) => expect(asked(header)).toBe(value));

  test.each([
    '',
    ',',
    'amount=string',
    'my-amounts=string',
    'amounts="string',
    'amounts=a b',
    'note="x, amounts=string"',
    'x;amounts=string',
  ])('%s has none by this name', (header) => expect(asked(header)).toBeUndefined());
});
