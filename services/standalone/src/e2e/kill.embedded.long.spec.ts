import { invoicesUnderKill } from './testing/kill.ts';

test(
  'invoices under kill -9, 25 times: nothing acknowledged is lost, one number, one registration, every webhook',
  () => invoicesUnderKill({ invoices: 800, kills: 25 }),
  900_000,
);
