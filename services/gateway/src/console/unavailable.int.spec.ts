import { DomainError } from '@svc/kernel';
import { code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner } = consoleOf(() => edge);

test('what a service cannot answer is a failure, and never shown as nothing', async () => {
  const { self } = await owner();
  const search = () => self.call('GET', '/search?q=ana', { livemode: false });
  expect([code(await search()), (await search()).body['data']]).toEqual(['200', []]);
  edge.work.list = () => {
    throw new DomainError('service_unavailable', 'Try again.', undefined, 1);
  };
  expect(code(await search())).toBe('503 service_unavailable');
});
