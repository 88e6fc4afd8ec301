import { code } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, owner } = consoleOf(() => edge);

test.each(['api.example', 'test.evil.example', 'test:8080', 'localhost.evil.example'])(
  'no route of the dashboard is answered under the host %p, whatever the Origin',
  async (host) => {
    const { self, email } = await owner();
    const headers = { host };
    const answers = [
      await self.call('GET', '/me', { headers }),
      await self.call('PATCH', '/me', { headers, body: { name: 'x' } }),
      await self.call('GET', '/v1/customers', { headers, livemode: false }),
      await browser().call('POST', '/session', { headers, body: { email, password: PASSWORD } }),
      await browser().call('GET', '/openapi.json', { headers }),
    ];
    expect(answers.map(code)).toEqual(answers.map(() => '403 origin_not_allowed'));
  },
);

test.each(['test', 'TEST', 'test:80', 'localhost:3000', '127.0.0.1:3000'])('it is answered under %p', async (host) => {
  const { self } = await owner();
  expect(code(await self.call('GET', '/me', { headers: { host } }))).toBe('200');
  expect(code(await self.call('PATCH', '/me', { headers: { host }, body: { name: 'x' } }))).toBe('200');
});
