import { services } from '../tools/charts.mjs';

export const allCharts: string[] = services;
/** The charts of the services behind the gateway, and the gateway: all that have an operators' port and credentials. */
export const productCharts = allCharts.filter((chart) => chart !== 'authority-simulator');
