import { testReplicasUnderKill } from './testing/replicas-under-kill.ts';

/** `kill.servers.long.spec.ts` has more jobs and kills, and servers that are paused for longer than sessions last. */
testReplicasUnderKill({ jobs: 60, perSecond: 3, ofEachService: 1, pausedMs: 8_000 });
