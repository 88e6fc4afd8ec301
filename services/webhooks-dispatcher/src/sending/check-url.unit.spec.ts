import { problemOfUrl } from './check-url.ts';

const names: Record<string, string[]> = {
  'shop.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.8'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
};
const resolve = async (host: string): Promise<string[]> => {
  const found = names[host];
  if (!found) throw new Error('ENOTFOUND');
  return found;
};
const check = (url: string): Promise<string | undefined> => problemOfUrl(url, new Set(['http://127.0.0.1:9000']), resolve);

test.each([
  'https://shop.example/x',
  'https://shop.example:8443/x?y=z',
  'https://shop.example./x',
  'https://notyet.example/x',
  'https://8.8.8.8/x',
  'http://127.0.0.1:9000/hook',
])('%s is taken', async (url) => expect(await check(url)).toBeUndefined());

test.each([
  ...[
    '',
    'hook',
    '/x',
    'http://shop.example/x',
    'ftp://shop.example/x',
    'https://shop.example:22/x',
    'https://u:p@shop.example/x',
    'https://u@shop.example/x',
    'https://shop.example/#',
  ],
  ...[
    'https://localhost/x',
    'https://app.localhost./x',
    'https://intranet/x',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
  ],
  ...[
    'https://inside.example/x',
    'https://both.example/x',
    'http://127.0.0.1:9001/x',
    'https://127.0.0.1:9000/x',
    'http://127.0.0.1:9000@shop.example/x',
  ],
])('%s is refused with a reason', async (url) => expect(await check(url)).toEqual(expect.any(String)));

test.each([
  'http://shop.example/x',
  'http://localhost:4000/x',
  'https://localhost/x',
  'https://127.0.0.1:9000/x',
  'https://inside.example/x',
])('the reason for %s leads to the setting for development', async (url) =>
  expect(await check(url)).toMatch(/the operator allows its origin.* WEBHOOKS_ALLOW/),
);
