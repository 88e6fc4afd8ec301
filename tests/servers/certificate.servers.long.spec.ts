import { testCertificateUnderKill } from '../e2e/testing/certificate-under-kill.ts';

testCertificateUnderKill('services', 2_000);
