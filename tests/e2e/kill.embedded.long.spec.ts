import { documentsUnderKill } from './testing/kill.ts';

test(
  'loses nothing acknowledged under 25 kills by kill -9: one number and one registration per document, every payment and credit once, every webhook',
  () => documentsUnderKill({ jobs: 400, kills: 25 }),
  900_000,
);
