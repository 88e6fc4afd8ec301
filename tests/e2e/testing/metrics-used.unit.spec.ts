import { missing } from './metrics-used.ts';

const used = { file: 'rules.yaml', name: 'svc_http_request_seconds_count', matchers: [], groupedBy: ['upstream'] };
const other = { name: 'svc_proxy_failures_total', labels: { upstream: 'invoicing' } };

test('a label by which a metric is grouped is one of its own, not of another metric', () => {
  const of = (labels: Record<string, string>) => missing(used, [{ name: used.name, labels }, other], () => false);
  expect(of({ route: 'POST /invoices' })).toBe('the label upstream of svc_http_request_seconds_count in rules.yaml');
  expect(of({ upstream: 'invoicing' })).toBeUndefined();
});
