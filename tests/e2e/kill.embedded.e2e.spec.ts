import { documentsUnderKill } from './testing/kill.ts';

/** `kill.embedded.long.spec.ts` has more jobs and kills. */
test(
  'loses nothing acknowledged under kill -9: one number and one registration per document, every payment and credit once, every webhook',
  () => documentsUnderKill({ jobs: 60, kills: 6 }),
  420_000,
);
