import { invoicesUnderKill } from './testing/kill.ts';

/** `kill.embedded.long.spec.ts` has more of both. */
test(
  'invoices under kill -9: nothing acknowledged is lost, one number, one registration, every webhook',
  () => invoicesUnderKill({ invoices: 150, kills: 6 }),
  420_000,
);
