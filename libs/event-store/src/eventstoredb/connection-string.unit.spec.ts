import { serverOf, userOf } from './open.ts';

test.each([
  ['esdb://127.0.0.1:2114?tls=false', { address: '127.0.0.1', port: 2114 }, ''],
  ['esdb://store.example', { address: 'store.example', port: 2113 }, ''],
  ['esdb+discover://u:p%40ss%20word@store.example:2113/?tls=true&tlsCAFile=/a:1', { address: 'store.example', port: 2113 }, 'u'],
  ['esdb://u:p@a:2113,b:2113,c:2113?tls=true', undefined, 'u'],
])('the server and the user of %s', (url, server, user) => {
  expect([serverOf(url), userOf(url)]).toEqual([server, user]);
});
