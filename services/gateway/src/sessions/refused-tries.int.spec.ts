import { code } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, signIn } = consoleOf(() => edge);

test('sign-ins that find the queue for hashing full store nothing of their e-mails', async () => {
  const { people } = edge.gateway.accounts;
  // Of one address 5 wait, and 2 are hashed.
  const from = browser();
  const answers = await Promise.all(Array.from({ length: 18 }, (_, n) => signIn(`unknown${n}@example.com`, PASSWORD, from).answered));
  const codes = answers.map(code);
  const hashed = codes.filter((one) => one === '401 invalid_credentials').length;
  expect(codes.filter((one) => one === '429 rate_limit_exceeded')).toHaveLength(18 - hashed);
  expect(hashed).toBeLessThan(18);
  expect(await people.tries.count({})).toBe(hashed);
});
