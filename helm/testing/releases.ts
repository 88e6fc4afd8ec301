import { get, render, type Values } from './render.ts';
import { promtool } from './rules.ts';

/** Values by which a chart has a Rollout. */
export const byArgo: Values = { rollout: 'argo', global: { canary: { prometheus: 'http://prometheus:9090', stepSeconds: 300 } } };

/** The names of the judgements of which a release fails, by series over time. The new pods have `{{args.pods}}` in their names. */
export function failedOf(chart: string, values: Values, series: Record<string, string>): string[] {
  const { metrics } = get(render(chart, { ...byArgo, ...values }), 'AnalysisTemplate').spec;
  const judged = metrics.map(({ name, successCondition, provider }) => {
    const [, operator = '', bound = ''] = /^result\[0\] (<=|>=|==) ([\d.]+)$/.exec(successCondition) ?? [];
    return { name, expr: `(${provider.prometheus.query.replaceAll('{{args.pods}}', 'new')}) ${operator} bool ${bound}` };
  });
  const input_series = Object.entries(series).map(([name, text]) => ({ series: name, values: text }));
  const isGood = (expr: string): boolean => {
    const promql_expr_test = [{ expr, eval_time: '10m', exp_samples: [{ labels: '{}', value: 1 }] }];
    return (
      promtool({ 'test.yaml': { tests: [{ interval: '30s', input_series, promql_expr_test }] } }, 'test', 'rules', 'test.yaml').status === 0
    );
  };
  return judged.filter(({ expr }) => !isGood(expr)).map(({ name }) => name);
}
