import { testRollingRestart } from '../testing/rolling-restart.ts';

/** `../rolling-restart.servers.long.spec.ts` restarts both replicas of each service. */
testRollingRestart({ ofEachService: 1, riseMs: 10_000 });
