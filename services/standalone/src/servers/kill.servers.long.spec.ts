import { testReplicasUnderKill } from './testing/replicas-under-kill.ts';

testReplicasUnderKill({ invoices: Number(process.env['KILL_INVOICES'] ?? 1200), perSecond: 20, ofEachService: 2, pausedMs: 30_000 });
