import { JsonStream } from '@svc/service';
import { jsonNumber } from '@svc/kernel';
import { reportAnswer, type ReportAnswer } from './answer.ts';
import type { Row } from './report.ts';

const row = (customer: string | null, citations: number): Row => ({
  id: customer ?? '',
  fields: () => ({ customer_id: customer, '"cited":[]': 'odd', total: jsonNumber('12345678901234567.89'), tax: 0.1 }),
  references: Array.from({ length: citations }, (_, n) => ({ id: `inv_${n}`, number: `1/"${n}"`, amount: n })),
});
const report = (...rows: Row[]): ReportAnswer => ({
  head: { object: 'report', report: 'sales' } as ReportAnswer['head'],
  tail: { totals: [], meta: {} } as unknown as ReportAnswer['tail'],
  rows,
  cites: true,
});
const textOf = async (answer: object): Promise<string> =>
  answer instanceof JsonStream ? Buffer.concat((await answer.toArray()) as Buffer[]).toString() : JSON.stringify(answer);
const wholeOf = ({ head, tail, rows }: ReportAnswer): string =>
  JSON.stringify({ ...head, data: rows.map(({ fields, references: cited }) => ({ ...fields(), cited })), ...tail });

describe('a report with citations', () => {
  test.each([
    ['few', false, report(row('cust_1', 3), row(null, 0))],
    ['many in one row', true, report(row('cust_1', 2_500), row(null, 0), row('cust_2', 1))],
    ['many in many rows', true, report(...Array.from({ length: 40 }, (_, n) => row(`cust_${n}`, 30)))],
    ['a whole piece', true, report(row('cust_1', 1_000))],
  ])('%s documents says the same however it is sent', async (_how, isStreamed, answer) => {
    expect(reportAnswer(answer) instanceof JsonStream).toBe(isStreamed);
    expect(await textOf(reportAnswer(answer))).toBe(wholeOf(answer));
  });

  test('without citations is one object', () => {
    expect(reportAnswer({ ...report(row('cust_1', 2_500)), cites: false })).not.toBeInstanceOf(JsonStream);
  });
});
