import { testCertificateUnderKill } from './testing/certificate-under-kill.ts';

/** NUMBERS=3000 for a quick run. */
testCertificateUnderKill('one process', Number(process.env['NUMBERS'] ?? 100_000));
