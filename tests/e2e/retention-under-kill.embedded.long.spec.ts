import { testRetentionUnderKill } from './testing/retention-under-kill.ts';

testRetentionUnderKill('one process');
