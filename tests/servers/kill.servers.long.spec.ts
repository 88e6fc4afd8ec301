import { testReplicasUnderKill } from './testing/replicas-under-kill.ts';

testReplicasUnderKill({ jobs: Number(process.env['KILL_JOBS'] ?? 480), perSecond: 8, ofEachService: 2, pausedMs: 30_000 });
