import { testReplicasUnderKill } from './testing/replicas-under-kill.ts';

/** `kill.servers.long.spec.ts` has more invoices and kills, and servers that are paused for longer than sessions last. */
testReplicasUnderKill({ invoices: 150, perSecond: 5, ofEachService: 1, pausedMs: 8_000 });
