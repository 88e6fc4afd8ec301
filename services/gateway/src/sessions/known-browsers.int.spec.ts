import { until } from '@svc/kernel/testing/until';
import { findUser } from '../members/find-user.ts';
import { tokenHash } from '../members/tokens.ts';
import { code, type Page } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { isKnownBrowser } from './known-browsers.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner, browser, signIn } = consoleOf(() => edge);

const NEXT = 'Another-lantern-8';
const isAnswered = (page: Promise<Page>): (() => boolean) => {
  let answered = false;
  void page.then(() => (answered = true));
  return () => answered;
};

/** Until a try waits that has so many before it. */
const begun = (before: number): Promise<unknown> =>
  until(async () => {
    const rows = await Array.fromAsync(edge.gateway.accounts.people.tries.find({ due_at: { $gt: 0 } }));
    return rows.some(({ count }) => count === before + 1);
  });

test('a browser that has signed in with an e-mail before waits for no failures of strangers, until the password is another one', async () => {
  const [{ email }, other] = [await owner(), await owner()];
  const known = browser();
  expect(code(await signIn(email, PASSWORD, known).answered)).toBe('200');
  expect(code(await signIn(email, 'wrong-password-1').answered)).toBe('401 invalid_credentials');
  const stranger = signIn(email).answered;
  const strangerIsIn = isAnswered(stranger);
  await begun(1);
  expect(code(await signIn(email, PASSWORD, known).answered)).toBe('200');
  expect(strangerIsIn()).toBe(false);
  await edge.clock.advance(1_100);
  expect(code(await stranger)).toBe('200');

  await known.call('PATCH', '/me', { body: { password: { current: PASSWORD, new: NEXT } } });
  await signIn(email, 'wrong-password-1').answered;
  const again = signIn(email, NEXT, known).answered;
  const isIn = isAnswered(again);
  await begun(1);
  // It is hashed behind the one of before.
  expect(code(await signIn(other.email).answered)).toBe('200');
  expect(isIn()).toBe(false);
  await edge.clock.advance(1_100);
  expect(code(await again)).toBe('200');
});

test('a browser is known for 90 days, also where the clock was ahead when it was remembered', async () => {
  const { email } = await owner();
  const known = browser();
  await signIn(email, PASSWORD, known).answered;
  const { people } = edge.gateway.accounts;
  const token = known.cookies.get('svc_browser') ?? '';
  const isKnown = async () => isKnownBrowser({ people, clock: edge.clock }, token, await findUser({ people }, email));
  expect(await isKnown()).toBe(true);
  const due = (await people.browsers.get(tokenHash(token)))?.due_at ?? 0;
  await people.browsers.claim({ _id: tokenHash(token) }, { set: { due_at: due + 3_600_000 } });
  expect(await isKnown()).toBe(false);
});
