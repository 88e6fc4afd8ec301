import { invoicesUnderKill } from './testing/kill.ts';

test(
  'loses nothing acknowledged under 25 kills by kill -9: one number, one registration and every webhook per invoice',
  () => invoicesUnderKill({ invoices: 800, kills: 25 }),
  900_000,
);
