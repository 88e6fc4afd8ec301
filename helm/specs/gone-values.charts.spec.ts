import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { charts } from '../tools/charts.mjs';
import { helmProgram } from '../tools/helm.mjs';
import { documentedValues } from '../tools/values/documented-values.ts';
import { goneValues } from '../tools/values/gone-values.ts';
import { valuesSchema } from '../tools/values/schema.ts';
import { chartFolder, required } from '../testing/render.ts';

const released = join(import.meta.dirname, '..', 'testing', 'released-values');

/** The values of each released chart, a line each, `gateway settings.port`; `*`: of all charts. */
const valuesOf = (file: string): [chart: string, path: string][] =>
  readFileSync(join(released, file), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [chart = '', path = ''] = line.split(' ');
      return chart === '*' ? (charts as string[]).map((one): [string, string] => [one, path]) : [[chart, path] as [string, string]];
    });

test.each(globSync('*.txt', { cwd: released }))('each value of the charts of %s is there, or says what to give instead', (file) => {
  const values = valuesOf(file);
  expect(new Set(values.map(([chart]) => chart))).toEqual(new Set(charts));
  const known = new Map((charts as string[]).map((chart) => [chart, documentedValues(chart).map(({ path }) => path.join('.'))]));
  const isThere = (chart: string, path: string): boolean =>
    known.get(chart)?.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`)) ?? false;
  const lost = values.filter(([chart, path]) => !isThere(chart, path) && goneValues[chart]?.[path] === undefined);
  expect([basename(file), lost]).toEqual([basename(file), []]);
});

test('a value that is gone is refused with the name of its successor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-gone-'));
  try {
    cpSync(chartFolder('gateway'), folder, { recursive: true });
    writeFileSync(join(folder, 'values.schema.json'), JSON.stringify(valuesSchema('gateway', { 'settings.listenOn': 'settings.host' })));
    const render = (settings: object) =>
      spawnSync(helmProgram(), ['template', 'system', folder, '--values', '-'], {
        encoding: 'utf8',
        input: JSON.stringify({ ...required('gateway'), settings }),
      });
    expect(render({ host: '0.0.0.0' }).status).toBe(0);
    const { status, stderr } = render({ listenOn: '0.0.0.0' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/settings\/listenOn.*gone: give settings\.host instead/s)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
