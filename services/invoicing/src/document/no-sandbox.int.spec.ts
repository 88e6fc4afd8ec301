import { DomainError, FakeClock } from '@svc/kernel';
import { invoices } from '../invoice/invoices.ts';
import { issuerResource } from '../issuer/resource.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';

const folder = dataFolder();
const opened = openSystem(folder.path, new FakeClock(Date.UTC(2026, 5, 1, 12)));
const system = { ...opened, context: { ...opened.context, lacking: { live: {}, test: { sandbox: ['SIMULATOR_URL'] } } } };
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

test('the setup of its issuer says so, and that of an issuer with a national authority does not', async () => {
  const { account } = await openShop(system);
  const [state, { lacking }] = [await system.context.issuers.of(account, 'test'), system.context];
  expect(issuerResource(state, 1, { closed: [], lacking }).setup).toMatchObject({
    ready: false,
    steps: [{ done: true }, { done: true }, { done: false }],
  });
  expect(issuerResource({ ...state, authority: 'al-cis' }, 1, { closed: [], lacking }).setup.steps[2]).toMatchObject({ done: true });
});
