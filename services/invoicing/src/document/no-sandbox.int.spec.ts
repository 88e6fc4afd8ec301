import { DomainError, FakeClock } from '@svc/kernel';
import { lackingForTests } from '@svc/service/process/test-connections';
import { invoices } from '../invoice/invoices.ts';
import { issuerResource } from '../issuer/resource.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';

const folder = dataFolder();
const opened = openSystem(folder.path, new FakeClock(Date.UTC(2026, 5, 1, 12)));
/** Montenegro’s service for test documents, and no other. */
const deployment = { SIMULATOR_URL: 'none', ME_EFI_TEST_URL: 'https://efi.example.com' };
const system = { ...opened, context: { ...opened.context, lacking: { live: {}, test: lackingForTests(deployment) } } };
afterAll(() => {
  opened.engine.close();
  folder.remove();
});

const refusalOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.catch((reason: unknown) => reason);
  return error instanceof DomainError ? [error.code, error.details] : 'accepted';
};
const refused = [
  'validation_error',
  { 'issuer.authority': [expect.stringMatching(/^is sandbox, which takes no test documents here yet.*SIMULATOR_URL/)] },
];

test('where nothing answers the sandbox, invoices and receipts are refused before a number is spent', async () => {
  const shop = await openShop(system);
  const id = await shop.draft();
  expect(await refusalOf(shop.submit(id))).toEqual(refused);
  expect(await refusalOf(shop.receipt())).toEqual(refused);
  expect(await invoices.read(shop.call(), id)).toMatchObject({ status: 'draft', number: null });
});

const setupOf = async (account: string) => {
  const [state, { lacking }] = [await system.context.issuers.of(account, 'test'), system.context];
  return issuerResource(state, 1, { closed: [], lacking }).setup;
};

test('the setup of its issuer says so, and that of an issuer whose authority is served does not', async () => {
  const shop = await openShop(system);
  expect(await setupOf(shop.account)).toMatchObject({ ready: false, steps: [{ done: true }, { done: true }, { done: false }] });
  await shop.set({ authority: 'me-efi' });
  expect((await setupOf(shop.account)).steps[2]).toMatchObject({ done: true });
});

test('a national authority whose service for test documents is not set leaves the setup not ready, and spends no number', async () => {
  const shop = await openShop(system, { authority: 'al-cis' });
  const message = expect.stringMatching(/^is al-cis, which takes no test documents here yet.*: AL_CIS_TEST_URL\.$/) as string;
  const { ready, steps } = await setupOf(shop.account);
  expect([ready, steps[2]]).toMatchObject([false, { done: false, missing: [{ field: 'authority', rule: 'installation', message }] }]);
  const id = await shop.draft();
  for (const work of [shop.submit(id), shop.receipt()])
    expect(await refusalOf(work)).toEqual(['validation_error', expect.objectContaining({ 'issuer.authority': [message] })]);
  expect(await invoices.read(shop.call(), id)).toMatchObject({ status: 'draft', number: null });
});
