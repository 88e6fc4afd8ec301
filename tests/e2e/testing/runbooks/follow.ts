import { eventually, type System } from '@svc/testkit';
import type { Runbooks, Values } from './runbook.ts';

/** The sum of the series of /metrics that the pattern matches, as `svc_ready{service="gateway"}`; 0: there is none. */
export type Sum = (series: RegExp) => number;

export interface Fault {
  page: string;
  plant(): Promise<unknown>;
  /** What the expression of the alert finds, without how long it must. */
  fires(sum: Sum): boolean;
  values?(): Values;
  /** What the commands of "What to look at" print. */
  sees(): (RegExp | string)[];
  /** What the page says to do. */
  mend(): Promise<unknown>;
  /** By default the condition of the alert holds no more. */
  ends?(): Promise<unknown>;
}

/** Plants the fault, looks as the page says once its alert has cause to fire, does what it says, and waits until the cause is gone. */
export async function follow({ page, plant, fires, values, sees, mend, ends }: Fault, system: () => System, runbooks: Runbooks) {
  const hasCause = async (): Promise<boolean> => fires(sumOf(await (await fetch(`${system().ops}/metrics`)).text()));
  await plant();
  await eventually(hasCause, `the condition of ${page}`);
  const seen = await runbooks.look(page, values?.());
  for (const one of sees()) expect(seen).toMatch(one);
  await mend();
  await (ends?.() ?? eventually(async () => !(await hasCause()), `the end of ${page}`, 120_000));
}

const sumOf =
  (metrics: string): Sum =>
  (series) =>
    metrics
      .split('\n')
      .map((line) => line.split(/ (?=[^ ]*$)/) as [string, string])
      .filter(([name]) => !name.startsWith('#') && series.test(name))
      .reduce((sum, [, value]) => sum + Number(value), 0);
