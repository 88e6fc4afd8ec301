import { systemClock } from '@svc/kernel';
import fc from 'fast-check';
import { issuers } from '../authorities/testing/documents.ts';
import { outgoingHttp } from '../sending/http.ts';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { expectOneRegistrationEach } from './testing/national-judge.ts';
import { schedulesOf } from './testing/national-schedules.ts';

/** NATIONAL_RUNS and NATIONAL_SEED override them. */
const RUNS = Number(process.env['NATIONAL_RUNS'] ?? 100);
const SEED = process.env['NATIONAL_SEED'];
const HOUR_MS = 3_600_000;

let simulator: SimulatorProcess;
const outgoing = outgoingHttp(systemClock);
beforeAll(async () => {
  simulator = await SimulatorProcess.start('al-cis', 'me-efi', 'es-verifactu');
});
afterAll(async () => {
  await outgoing.close();
  await simulator.stop();
});

test.each(Object.keys(issuers))(
  `%s: ${RUNS} schedules end with one registration of each document`,
  async (authority) => {
    const national = { simulator, http: outgoing.http, authority };
    const property = fc.asyncProperty(schedulesOf(authority), (schedule) => expectOneRegistrationEach(national, schedule));
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true, ...(SEED !== undefined && { seed: Number(SEED) }) });
  },
  HOUR_MS,
);
