import { CisClient, isSigned, stamp } from '../testing/cis-client.ts';
import { serveSimulator, type ServedSimulator } from '../testing/served.ts';

let served: ServedSimulator;
let client: CisClient;
let tills = 0;

beforeAll(async () => {
  served = await serveSimulator('al-cis');
  client = await CisClient.open(served, 'al-cis');
});
beforeEach(() => served.clock.set('2026-03-02T10:00:00Z'));
afterAll(() => served.close());

const internal = (): Record<string, string> => ({ TCRIntID: `till ${(tills += 1)}` });

describe('a till', () => {
  test('gets a code by a signed answer, and the same one again', async () => {
    const id = internal();
    const first = await client.registerTill(id);
    expect([first.status, first.code, isSigned(first.text)]).toEqual([200, expect.stringMatching(/^[a-z]{2}\d{3}[a-z]{2}\d{3}$/), true]);
    expect((await client.registerTill(id)).code).toBe(first.code);
    expect((await client.registerTill({ ...id, BusinUnitCode: 'cc123cc123' })).code).not.toBe(first.code);
  });

  test.each<[string, number, Record<string, string | undefined>]>([
    ['that begins in the past', 45, { ValidFrom: '2026-03-01' }],
    ['that ends in the past', 46, { ValidTo: '2026-03-01' }],
    ['that ends before it begins', 47, { ValidFrom: '2026-03-05', ValidTo: '2026-03-04' }],
    ['without software', 11, { SoftCode: undefined }],
    ['without maintainer', 11, { MaintainerCode: undefined }],
    ['without a type', 11, { Type: undefined }],
    ['of a unit that is no code', 11, { BusinUnitCode: 'shop' }],
  ])('%s is refused', async (_what, error, over) => {
    expect(await client.registerTill({ ...internal(), ...over })).toMatchObject({ error });
  });

  test('keeps what it was registered with, except its last day, after which it is closed', async () => {
    const id = internal();
    const { code = '' } = await client.registerTill(id);
    expect(await client.registerTill({ ...id, SoftCode: 'tt123tt123' })).toMatchObject({ error: 48 });
    expect(await client.registerTill({ ...id, ValidTo: '2026-03-03' })).toMatchObject({ code });
    expect(await client.registerDeposit(code)).toMatchObject({ status: 200 });
    served.clock.set('2026-03-04T10:00:00Z');
    expect(await client.registerTill({ ...id, ValidFrom: undefined })).toMatchObject({ error: 57 });
    expect(await client.registerDeposit(code)).toMatchObject({ error: 53 });
  });

  test('needs a maintainer that the registry knows', async () => {
    const declare = (fields: object) => served.operate('POST', '/taxpayers', { authority: 'al-cis', tax_id: client.taxId, ...fields });
    await declare({ maintainers: ['nn123nn123'] });
    expect(await client.registerTill(internal())).toMatchObject({ error: 43 });
    await declare({});
    expect(await client.registerTill(internal())).toMatchObject({ status: 200 });
  });

  test('of another taxpayer is not known', async () => {
    const { code = '' } = await client.registerTill(internal());
    const other = await CisClient.open(served, 'al-cis', 'K72001008V');
    expect(await other.registerDeposit(code)).toMatchObject({ error: 53 });
  });
});

describe('a deposit', () => {
  const open = async (): Promise<string> => (await client.registerTill(internal())).code ?? '';

  test('that opens the day is registered once a day and till', async () => {
    const till = await open();
    const first = await client.registerDeposit(till);
    expect([first.status, first.code, isSigned(first.text)]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/), true]);
    expect(await client.registerDeposit(till)).toMatchObject({ error: 56 });
    expect(await client.registerDeposit(await open())).toMatchObject({ status: 200 });
    served.clock.set('2026-03-03T10:00:00Z');
    expect(await client.registerDeposit(till)).toMatchObject({ status: 200 });
  });

  test('of no amount opens the day, but moves nothing', async () => {
    const till = await open();
    expect(await client.registerDeposit(till, { Operation: 'WITHDRAW' })).toMatchObject({ error: 51 });
    expect(await client.registerDeposit(till, { Operation: 'DEPOSIT', CashAmt: '10.00' })).toMatchObject({ status: 200 });
    expect(await client.registerDeposit(till, { CashAmt: '-1.00' })).toMatchObject({ error: 11 });
  });

  test('has the time of its message, or is late within its window', async () => {
    const till = await open();
    const at = (hours: number): string => stamp(served.clock.now() + hours * 3_600_000);
    expect(await client.registerDeposit(till, { ChangeDateTime: at(-1) })).toMatchObject({ error: 2 });
    expect(await client.registerDeposit(till, { ChangeDateTime: at(-1) }, { SendDateTime: at(0) })).toMatchObject({ error: 49 });
    expect(await client.registerDeposit(till, { ChangeDateTime: at(-49) }, { SubseqDelivType: 'TECHNICALERROR' })).toMatchObject({
      error: 11,
    });
    expect(await client.registerDeposit(till, { ChangeDateTime: at(-1) }, { SubseqDelivType: 'TECHNICALERROR' })).toMatchObject({
      status: 200,
    });
  });
});
