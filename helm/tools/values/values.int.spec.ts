import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { services, umbrella } from '../charts.mjs';
import { chartsFolder, documentedValues } from './documented-values.ts';
import { settingsOfChart, valueOf } from './settings.ts';
import { conditions, shapes } from './shapes.ts';

const all: string[] = services;
const pathsOf = (chart: string): string[] => documentedValues(chart).map(({ path }) => path.join('.'));
/** Values that become variables of the process. The other values of the ingress are its own. */
const isSetting = (path: string): boolean =>
  /^(settings|development|existingSecret\.keys)\./.test(path)
    ? path !== 'development.enabled'
    : /^ingress\.(hosts|trustedProxies)$/.test(path);

test.each(all)('%s has a value for every setting of its program, and a setting for every such value', (chart) => {
  const settings = settingsOfChart(chart).map(valueOf);
  expect(settings.sort()).toEqual(pathsOf(chart).filter(isSetting).sort());
});

test('what the charts share are settings of several services, and each service takes those that it has', () => {
  const shared = pathsOf(umbrella).filter((path) => path.startsWith('global.settings.'));
  for (const path of shared) {
    const users = all.filter((chart) => pathsOf(chart).includes(path.replace('global.', '')));
    expect([path, users.length > 1]).toEqual([path, true]);
  }
});

test.each([...all, umbrella])('every value of %s has a line above it', (chart) => {
  expect(() => documentedValues(chart)).not.toThrow();
});

test('a value that several charts have reads the same in each', () => {
  const texts = new Map<string, Map<string, string[]>>();
  for (const chart of [...all, umbrella]) {
    for (const { path, description } of documentedValues(chart)) {
      const place = path.join('.');
      // The reasons differ, and so do the names.
      if (/^(resources|replicas|fullnameOverride|development\.|settings\.host$)/.test(place)) continue;
      const same = texts.get(place) ?? new Map<string, string[]>();
      same.set(description, [...(same.get(description) ?? []), chart]);
      texts.set(place, same);
    }
  }
  expect([...texts].filter(([, same]) => same.size > 1).map(([place, same]) => [place, [...same]])).toEqual([]);
});

test('the defaults of what the charts share are the same in each', () => {
  const globals = [...all, umbrella].map((chart) => {
    const { global } = parse(readFileSync(join(chartsFolder, chart, 'values.yaml'), 'utf8')) as { global: object };
    return global;
  });
  for (const global of globals) expect(global).toEqual(globals[0]);
});

test.each([...all, umbrella])('%s is released with the product, under its version', (chart) => {
  const read = (...path: string[]) => parse(readFileSync(join(chartsFolder, ...path), 'utf8')) as { version: string; appVersion?: string };
  const { version } = read('..', 'package.json');
  expect(read(chart, 'Chart.yaml')).toMatchObject({ version, appVersion: version });
});

test('every shape is that of a value, and every condition that of a chart', () => {
  const places = new Set([...all, umbrella].flatMap(pathsOf));
  expect(Object.keys(shapes).filter((place) => !places.has(place))).toEqual([]);
  expect(conditions.filter(({ chart }) => !all.includes(chart))).toEqual([]);
});
