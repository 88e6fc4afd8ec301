import { testNationalSchedules } from './testing/national-property.ts';

const SEED = process.env['NATIONAL_SEED'];
const HOUR_MS = 3_600_000;

/** NATIONAL_RUNS and NATIONAL_SEED override them. */
testNationalSchedules({
  runs: Number(process.env['NATIONAL_RUNS'] ?? 100),
  seed: SEED === undefined ? undefined : Number(SEED),
  timeoutMs: HOUR_MS,
});
