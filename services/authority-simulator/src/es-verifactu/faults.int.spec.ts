import { spanishService } from '../testing/spanish-service.ts';
import { type VerifactuReply } from '../testing/verifactu-client.ts';

const spain = spanishService();

const fault = (fields: object) =>
  spain.served.operate('POST', '/faults', { authority: 'es-verifactu', tax_id: spain.client.nif, ...fields });
const registered = async (): Promise<number> =>
  ((await spain.served.operate('GET', '/ledger?authority=es-verifactu&limit=10000')).body as { data: { tax_id: string }[] }).data.filter(
    (row) => row.tax_id === spain.client.nif,
  ).length;

/** A sending of two records twice; an answer that does not come is `lost`. */
async function attempts(simulate?: string) {
  const records = [spain.client.alta(), spain.client.alta()];
  const attempt = (): Promise<VerifactuReply | 'lost'> =>
    spain.client.send(records, simulate === undefined ? {} : { simulate }).catch(() => 'lost' as const);
  const first = await attempt();
  return { first, rows: await registered(), second: await attempt() };
}
const duplicates = { state: 'Incorrecto', lines: [{ code: 3000 }, { code: 3000 }] };
const accepted = { state: 'Correcto' };

describe.each([
  ['by X-Simulate', (script: string) => attempts(script)],
  ['by an operator', async (script: string) => (await fault({ fault: script }), attempts())],
])('a fault of the first sending %s', (_by, script) => {
  test.each<[string, number, object | 'lost', object]>([
    ['lost_request', 0, 'lost', accepted],
    ['lost_reply', 2, 'lost', duplicates],
    ['error_after_accept', 2, { status: 500, fault: undefined }, duplicates],
    ['truncated', 2, { status: 200 }, duplicates],
    ['fault_server', 0, { status: 500, fault: 'Server' }, accepted],
    ['fault_client:4116', 0, { status: 500, faultCode: 4116 }, accepted],
    ['suspended', 0, { faultCode: 4141 }, accepted],
    ['certificate:refused', 0, { faultCode: 4112 }, accepted],
    ['clock:300', 2, { lines: [{ code: 2004 }, { code: 2004 }] }, duplicates],
    [
      'partial',
      1,
      { state: 'ParcialmenteCorrecto', lines: [{ state: 'Correcto' }, { state: 'Incorrecto' }] },
      { lines: [{ code: 3000 }, { state: 'Correcto' }] },
    ],
    ['unavailable:1', 0, { status: 503 }, accepted],
  ])('%s: %i registered', async (name, count, answer, again) => {
    const { first, rows, second } = await script(name);
    expect([first, rows]).toEqual([answer === 'lost' ? answer : expect.objectContaining(matching(answer)), count]);
    expect(second).toMatchObject(again);
  });
});
const matching = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one: object) => expect.objectContaining(one)) : value,
    ]),
  );

test('a record that partial refuses is in its chain: the next one cites it', async () => {
  const [first, refused, next] = [spain.client.alta(), spain.client.alta(), spain.client.alta()];
  await spain.client.send([first, refused], { simulate: 'partial' });
  expect(await spain.client.send([next])).toMatchObject(accepted);
  const { data } = (await spain.served.operate('GET', '/chains?authority=es-verifactu&limit=1000')).body as {
    data: { chain: string; breaks: object[]; records: number }[];
  };
  expect(data.filter(({ chain }) => chain.startsWith(`${spain.client.nif}|`))).toMatchObject([{ records: 3, breaks: [] }]);
});

test.each([
  ['reject', 1100],
  ['reject:1112', 1112],
  ['reject:credentials', 3003],
  ['reject:setup', 1177],
])('%s refuses records every time', async (script, code) => {
  expect(await attempts(script)).toMatchObject({
    first: { lines: [{ code }, { code }] },
    rows: 0,
    second: { lines: [{ code }, { code }] },
  });
});

test('reject_once refuses each record once; an operator refuses one record of a sending', async () => {
  expect(await attempts('reject_once:1106')).toMatchObject({ first: { lines: [{ code: 1106 }, { code: 1106 }] }, second: accepted });
  await fault({ fault: 'reject:1106' });
  expect(await attempts()).toMatchObject({ first: { lines: [{ code: 1106 }, { state: 'Correcto' }] } });
});

test('accepted_with_errors and accept_with_warnings register', async () => {
  expect(await attempts('accepted_with_errors:2006')).toMatchObject({
    first: { lines: [{ state: 'AceptadoConErrores', code: 2006 }, { code: 2006 }] },
    rows: 2,
  });
  expect(await attempts('accept_with_warnings')).toMatchObject({ first: { lines: [{ code: 2001 }, { code: 2001 }] }, rows: 4 });
});

test('duplicate answers 3000 for our own record, duplicate_foreign for one whose hash is another', async () => {
  const [own, foreign] = [spain.client.alta(), spain.client.alta()];
  expect((await spain.client.send([own], { simulate: 'duplicate' })).lines).toMatchObject([{ code: 3000, duplicate: 'Correcta' }]);
  expect((await spain.client.query({ number: own.number })).text).toContain(own.hash);
  expect((await spain.client.send([foreign], { simulate: 'duplicate_foreign' })).lines).toMatchObject([
    { code: 3000, duplicate: 'Correcta' },
  ]);
  const { text } = await spain.client.query({ number: foreign.number }, 'duplicate_foreign');
  expect([text.includes('ConDatos'), text.includes(foreign.hash)]).toEqual([true, false]);
  expect(await registered()).toBe(1);
});

test('wait sets TiempoEsperaEnvio, query_blind hides what is new', async () => {
  const record = spain.client.alta();
  expect((await spain.client.send([record], { simulate: 'wait:120' })).wait).toBe(120);
  expect((await spain.client.query({ number: record.number }, 'query_blind:300')).text).toContain('SinDatos');
  await fault({ operation: 'ConsultaFactuSistemaFacturacion', fault: 'query_blind:300' });
  expect((await spain.client.query()).text).toContain('SinDatos');
  expect((await spain.client.query({ number: record.number })).text).toContain('ConDatos');
});

test('refuse_void refuses annulments alone', async () => {
  const record = spain.client.alta();
  expect(await spain.client.send([record], { simulate: 'refuse_void' })).toMatchObject(accepted);
  expect((await spain.client.send([spain.client.annulment(record)], { simulate: 'refuse_void' })).lines).toMatchObject([{ code: 3004 }]);
});
