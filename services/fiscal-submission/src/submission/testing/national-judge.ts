import { type Document, NationalRun, type National } from './national-run.ts';
import { impatient, registrationsOf, saysLate, saysLater, sendingsOf, wasSentByWrongClock, wrongMarks, wrongTypes } from './late-marks.ts';
import { errorAsked, FOREIGN, type Schedule } from './national-schedules.ts';

interface Row {
  tax_id: string;
  number: string;
  code: string;
  /** Of Albania and Montenegro the kind of late delivery. */
  late: boolean | string | null;
  request?: string;
  state?: string;
  error?: number | null;
}

interface Gap {
  tax_id: string;
  /** Ordinals that no registered document has. */
  missing: number;
}

/** Runs a schedule and judges what the authority has afterwards, what was sent to it, and what was published. */
export async function expectOneRegistrationEach(national: National, schedule: Schedule): Promise<void> {
  const run = await NationalRun.of(national, schedule);
  try {
    await judge(run, national);
  } finally {
    await run.process.system.close();
  }
}

async function judge(run: NationalRun, { simulator, authority }: National): Promise<void> {
  const { data, meta } = await simulator.operate<{ data: Row[]; meta: { gaps: Gap[] } }>(`/ledger?authority=${authority}&limit=10000`);
  const rows = data.filter((row) => row.tax_id === run.tax_id);
  const { ours = [], others = [] } = Object.groupBy(run.documents, ({ simulate }) => (simulate === FOREIGN ? 'others' : 'ours'));
  const missing = meta.gaps.flatMap((gap) => (gap.tax_id === run.tax_id ? [gap.missing] : [])).reduce((sum, one) => sum + one, 0);
  expect(missing).toBeLessThanOrEqual(others.length);
  expect(rows.map(({ number }) => number).sort()).toEqual(ours.map(({ number }) => number).sort());
  for (const document of others) expect(run.outcomes.of('document-registered', document)).toEqual([]);
  for (const document of ours) {
    const row = rows.find(({ number }) => number === document.number) as Row;
    if (authority === 'es-verifactu') expectSpanish(run, document, row);
    else expectFiscalized(run, document, row);
  }
  expect(wrongMarks(run.process.calls)).toEqual([]);
  expect(impatient(run.process.calls)).toEqual([]);
  const chains = await simulator.operate<{ data: { chain: string; breaks: object[] }[] }>(`/chains?authority=${authority}&limit=10000`);
  expect(chains.data.filter(({ chain }) => chain.startsWith(`${run.tax_id}|`)).flatMap(({ breaks }) => breaks)).toEqual([]);
}

interface Outcome {
  code: string;
  code_kind?: string;
  late: boolean;
}

function outcomeOf(run: NationalRun, document: Document): Outcome {
  const outcomes = run.outcomes.of('document-registered', document);
  expect(outcomes).toHaveLength(1);
  return outcomes[0]?.data as unknown as Outcome;
}

/** Late is what was answered to a message that says so, although the first one was perhaps registered in time. */
function expectFiscalized(run: NationalRun, document: Document, row: Row): void {
  const messages = registrationsOf(run.process.calls, document.number);
  const answered = messages.findLast(({ answer }) => answer !== undefined);
  const { code, late } = outcomeOf(run, document);
  expect([code, late]).toEqual([row.code, answered !== undefined && saysLater(answered)]);
  expect(wrongTypes(run.process.calls, document)).toEqual([]);
}

function expectSpanish(run: NationalRun, document: Document, { state, code, request, late, error }: Row): void {
  const { calls } = run.process;
  const outcome = outcomeOf(run, document);
  const asked = errorAsked(document.simulate);
  if (document.isCancelled) {
    // The row has the mark of the annulment's sending.
    expect(state).toBe('Anulada');
    expect(sendingsOf(calls, document.number).map(saysLate)).toContain(outcome.late);
    return;
  }
  expect([outcome.code, outcome.late]).toEqual([outcome.code_kind === 'request_id' ? request : code, late]);
  expect(state).toBe(error === null ? 'Correcta' : 'AceptadaConErrores');
  if (error === 2004 && asked !== 2004) expect(wasSentByWrongClock(calls, document.number)).toBe(true);
  else expect([null, asked]).toContain(error);
}
