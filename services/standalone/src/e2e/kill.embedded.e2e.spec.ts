import { invoicesUnderKill } from './testing/kill.ts';

/** `kill.embedded.long.spec.ts` has more invoices and kills. */
test(
  'loses nothing acknowledged under kill -9: one number, one registration and every webhook per invoice',
  () => invoicesUnderKill({ invoices: 150, kills: 6 }),
  420_000,
);
