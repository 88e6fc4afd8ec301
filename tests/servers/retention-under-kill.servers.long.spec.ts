import { testRetentionUnderKill } from '../e2e/testing/retention-under-kill.ts';

testRetentionUnderKill('services');
