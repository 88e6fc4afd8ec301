import { FakeClock } from '@svc/kernel';
import { register } from '@svc/service';
import { measureUpstreams } from './metrics.ts';
import { createUpstream, type Replica } from './upstream.ts';

const shown = (name: string): Promise<string> => register.getSingleMetricAsString(name);

test('shows how many replicas of each service fail, and the failures of each kind from 0 on', async () => {
  const origins = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const upstreams = ['invoicing', 'reporting'].map((name) => createUpstream({ name, origins, clock: new FakeClock() }));
  measureUpstreams(upstreams);
  const [invoicing] = upstreams;
  const replica = invoicing?.replicas[1] as Replica;
  invoicing?.failed(replica);
  expect(await shown('svc_upstream_unhealthy_replicas')).toContain('{upstream="invoicing"} 1');
  expect(await shown('svc_upstream_unhealthy_replicas')).toContain('{upstream="reporting"} 0');
  invoicing?.answered(replica, true);
  expect(await shown('svc_upstream_unhealthy_replicas')).toContain('{upstream="invoicing"} 0');
  expect(await shown('svc_proxy_failures_total')).toContain('{owner="reporting",upstream="reporting",kind="cut"} 0');
  await Promise.all(upstreams.map((upstream) => upstream.close()));
});
