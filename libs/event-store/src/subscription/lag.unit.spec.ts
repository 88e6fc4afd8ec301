import { register } from 'prom-client';
import { measureLag } from './lag.ts';

const shown = async () =>
  (await register.getSingleMetricAsString('svc_subscription_lag_seconds')).split('\n').filter((line) => !line.startsWith('#'));

describe('the lag of subscriptions', () => {
  test('is also exported under the name of the previous release', async () => {
    const stop = measureLag('relay', async () => 7);
    expect(await register.getSingleMetricAsString('svc_follower_lag_seconds')).toContain('svc_follower_lag_seconds{follower="relay"} 7');
    stop();
    expect(await register.getSingleMetricAsString('svc_follower_lag_seconds')).not.toContain('relay');
  });

  test('is evaluated when the metrics are read, while the subscription runs', async () => {
    let seconds = 3;
    const stop = measureLag('invoicing.invoices_v1', async () => seconds);
    const other = measureLag('invoicing.relay', async () => 0);
    seconds = 5;
    expect(await shown()).toEqual([
      'svc_subscription_lag_seconds{subscription="invoicing.invoices_v1"} 5',
      'svc_subscription_lag_seconds{subscription="invoicing.relay"} 0',
    ]);
    stop();
    expect(await shown()).toEqual(['svc_subscription_lag_seconds{subscription="invoicing.relay"} 0']);
    other();
  });

  test('a restarted subscription keeps its lag when the previous one stops late', async () => {
    const before = measureLag('relay', async () => 9);
    const now = measureLag('relay', async () => 1);
    before();
    expect(await shown()).toEqual(['svc_subscription_lag_seconds{subscription="relay"} 1']);
    now();
  });

  test('a lag that cannot be read is omitted, and the others are exported', async () => {
    let isAway = false;
    const asked = measureLag('asked', async () => (isAway ? Promise.reject(new Error('away')) : 2));
    const other = measureLag('other', async () => 1);
    const both = ['svc_subscription_lag_seconds{subscription="asked"} 2', 'svc_subscription_lag_seconds{subscription="other"} 1'];
    expect((await shown()).sort()).toEqual(both);
    isAway = true;
    expect(await shown()).toEqual(both.slice(1));
    isAway = false;
    expect((await shown()).sort()).toEqual(both);
    asked();
    other();
  });
});
