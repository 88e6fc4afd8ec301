import type { Processes } from '@svc/testkit';
import { deadLettersOf } from './facts.ts';

/** Lines of each kind. */
const MOST = 12;
const WARNING = 40;
const ERROR = 50;

/** What the system says about itself, to name the cause of a failure: dead letters, ends of processes, and what they logged. */
export async function findings(system: Processes): Promise<string[]> {
  return [...(await deadLetterLines(system)), ...crashLines(system), ...logLines(system)];
}

/** Faults after which no phase can succeed: dead letters that wait for no other release, and processes that ended by themselves. */
export async function faults(system: Processes): Promise<string[]> {
  return [...(await deadLetterLines(system, (reason) => reason !== 'unknown_type')), ...crashLines(system)];
}

export async function deadLetterLines(system: Processes, isAbout: (reason: string) => boolean = () => true): Promise<string[]> {
  const deadLetters = (await deadLettersOf(system)).filter(({ reason }) => isAbout(reason));
  return distinct(deadLetters.map(({ group, event_type, reason, error }) => `dead letter of ${group}: ${event_type}, ${reason}: ${error}`));
}

const crashLines = ({ replicas }: Processes): string[] =>
  replicas.flatMap((replica) =>
    replica.crashes().map(({ code, signal }) => `${replica.name} ended by itself (${code ?? signal}):\n${replica.output().slice(-2000)}`),
  );

interface Line {
  level: number;
  msg: string;
  type?: string;
  error?: string;
  err?: { message?: string; stack?: string };
}

function logLines({ replicas }: Processes): string[] {
  return replicas.flatMap(({ name, output }) => {
    const lines = output()
      .split('\n')
      .flatMap((text) => {
        const { level, msg, type, error, err } = parsed(text);
        if (level === undefined || level < WARNING) return [];
        const where = level >= ERROR ? /\n\s+at ([\w.$ ]+) \(/.exec(err?.stack ?? '')?.[1] : undefined;
        return [[`${name}: ${msg}`, type, err?.message ?? error, where && `in ${where}`].filter(Boolean).join(', ')];
      });
    return distinct(lines);
  });
}

function parsed(text: string): Partial<Line> {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return {};
  }
}

/** Each once but for ids, the first ones. */
function distinct(lines: string[]): string[] {
  const seen = new Map(lines.map((line) => [line.replaceAll(/_[0-9a-z]{26}/g, ''), line] as const).reverse());
  return [...seen.values()].reverse().slice(0, MOST);
}
