import { testRollingRestart } from './testing/rolling-restart.ts';

testRollingRestart({ ofEachService: 2, riseMs: 30_000 });
