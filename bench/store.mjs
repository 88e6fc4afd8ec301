// Row 15: the rebuild of a read model, compared with a bare loop. BENCH_EVENTS=50000 for a quick run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds, prefixed, systemClock as clock } from '@svc/kernel';
import { atLeast, median, none, shown } from './load.mjs';
import { seed } from './seed.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const ROUNDS = 3;
/** Of one seeded invoice, on average. */
const EVENTS_EACH = 3.37;

function rebuild(kind, folder, round) {
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'rebuild.mjs'), kind, folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(printed.split('\n').at(-2));
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-store-'));
  const began = performance.now();
  const account = prefixed('acct', createIds(clock).next());
  await seed(folder, { account, count: Math.round(EVENTS / EVENTS_EACH) });
  const seedSeconds = (performance.now() - began) / 1000;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ system: rebuild('system', folder, round), loop: rebuild('loop', folder, round) });
  rmSync(folder, { recursive: true });
  const mid = (kind, field) => median(rounds.map((round) => round[kind][field]));
  const wrong = rounds.filter(({ system, loop }) => system.rows !== loop.rows || system.rows === 0).length;
  return [
    shown(`${EVENTS} events: seeded, s`, seedSeconds),
    ...['system', 'loop'].map((kind) =>
      shown(`rebuild, ${kind}, s`, mid(kind, 'seconds'), { cpuSeconds: mid(kind, 'cpuSeconds'), rows: mid(kind, 'rows') }),
    ),
    atLeast(
      '15 rebuild of a read model ÷ bare loop (CPU)',
      median(rounds.map(({ system, loop }) => loop.cpuSeconds / system.cpuSeconds)),
      0.6,
    ),
    shown('15 … (seconds)', median(rounds.map(({ system, loop }) => loop.seconds / system.seconds))),
    none('rebuilds with other rows', wrong),
  ];
}
