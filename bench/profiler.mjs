// Loaded into a server before its program: SIGUSR2 begins a profile of its processor time, and the next one writes it to PROFILE_FILE.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
let runs = false;
process.on('SIGUSR2', async () => {
  runs = !runs;
  if (runs) return session.post('Profiler.start');
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(process.env.PROFILE_FILE, JSON.stringify(profile));
});
