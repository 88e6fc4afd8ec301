import { systemClock } from '@svc/kernel';
import fc from 'fast-check';
import { issuers } from '../../authorities/testing/documents.ts';
import { outgoingHttp } from '../../sending/http.ts';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { expectOneRegistrationEach } from './national-judge.ts';
import { schedulesOf } from './national-schedules.ts';

interface Runs {
  runs: number;
  /** Random by default. */
  seed?: number | undefined;
  timeoutMs?: number;
}

/** Defines a test for each national authority, of so many schedules of faults: each takes seconds. */
export function testNationalSchedules({ runs, seed, timeoutMs }: Runs): void {
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
    '%s: each document is registered once, none is taken for another one, no number is missing, no chain is broken and every late mark is right, after any schedule of faults, outages, wrong clocks, certificates that end and deaths of both processes',
    async (authority) => {
      const national = { simulator, http: outgoing.http, authority };
      const property = fc.asyncProperty(schedulesOf(authority), (schedule) => expectOneRegistrationEach(national, schedule));
      await fc.assert(property, { numRuns: runs, endOnFailure: true, ...(seed !== undefined && { seed }) });
    },
    timeoutMs,
  );
}
