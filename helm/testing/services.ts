import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { services } from '../tools/charts.mjs';
import { chartsFolder } from '../tools/values/documented-values.ts';

export const allCharts: string[] = services;
/** The charts of the services behind the gateway, and the gateway: all that have an operators' port and credentials. */
export const productCharts = allCharts.filter((chart) => chart !== 'authority-simulator');

/** The versions of a chart and of the program in it, which releases change. */
export const manifestOf = (chart: string): { version: string; appVersion: string } =>
  parse(readFileSync(join(chartsFolder, chart, 'Chart.yaml'), 'utf8')) as { version: string; appVersion: string };
