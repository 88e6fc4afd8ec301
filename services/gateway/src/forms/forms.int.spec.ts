import { code } from '../testing/browser.ts';
import { until } from '@svc/kernel/testing/until';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner, invited } = consoleOf(() => edge);

const test1 = { livemode: false };

test('an unfinished form is of one member and environment, is encrypted, and ends after 30 days', async () => {
  const { self } = await owner();
  const mate = await invited(self, 'admin');
  const form = { items: [{ quantity: '1,5' }], nested: { a: [1, '', null] }, text: '  two\n lines ' };
  expect((await self.call('PUT', '/forms/invoice', { ...test1, body: form })).body).toEqual(form);
  await self.call('PUT', '/forms/invoice', { ...test1, body: { b: 'Heron' } });
  expect((await self.call('GET', '/forms/invoice', test1)).body).toEqual({ b: 'Heron' });
  for (const answer of [await mate.self.call('GET', '/forms/invoice', test1), await self.call('GET', '/forms/invoice', { livemode: true })])
    expect(code(answer)).toBe('404 not_found');
  const rows = await Array.fromAsync(edge.gateway.forms.rows.find({}));
  expect(JSON.stringify(rows)).not.toContain('Heron');
  expect(rows.map(({ due_at: due }) => due)).toEqual([edge.clock.now() + 30 * 86_400_000]);
});

test('a form that there is not is no refused request, and one that is refused is', async () => {
  const { self, account } = await owner();
  const recording = edge.gateway.recorder.work.start();
  expect(code(await self.call('GET', '/forms/invoice', test1))).toBe('404 not_found');
  expect(code(await self.call('PUT', '/forms/invoice', { ...test1, body: [1] }))).toBe('422 validation_error');
  const recorded = () => Array.fromAsync(edge.gateway.refused.find({ scope: `test.${account}` }));
  await edge.clock.advance(1_000);
  await until(async () => (await recorded()).length > 0);
  expect((await recorded()).map(({ method, status }) => [method, status])).toEqual([['PUT', 422]]);
  await recording.stop();
});

test('a form that is no object, has another name, or is one too many is refused', async () => {
  const { self } = await owner();
  const put = (name: string, body: unknown = {}) => self.call('PUT', `/forms/${name}`, { ...test1, body });
  expect(code(await put('invoice', [1]))).toBe('422 validation_error');
  for (const name of ['a%20b', 'A', 'x'.repeat(65)]) expect([name, code(await put(name))]).toEqual([name, '404 not_found']);
  for (let n = 0; n < 50; n += 1) expect(code(await put(`form-${n}`))).toBe('200');
  expect(code(await put('form-50'))).toBe('422 validation_error');
  expect(code(await self.call('DELETE', '/forms/form-0', test1))).toBe('200');
  expect(code(await put('form-50'))).toBe('200');
});

test('what a form stores counts once for its account until it is removed, and is refused where nothing is left', async () => {
  const { self, account } = await owner();
  const counted = async (): Promise<number> => {
    await edge.gateway.storage.refresh();
    return ((await self.call('GET', '/usage', test1)).body['storage'] as { bytes: number }).bytes;
  };
  const put = (name: string, bytes: number) => self.call('PUT', `/forms/${name}`, { ...test1, body: { text: 'x'.repeat(bytes) } });
  const before = await counted();
  for (const bytes of [200_000, 100_000, 100_000]) expect(code(await put('invoice', bytes))).toBe('200');
  const one = (await counted()) - before;
  expect([one > 100_000, one < 150_000]).toEqual([true, true]);
  await put('other', 100_000);
  expect((await counted()) - before).toBeGreaterThan(2 * one - 100);
  expect(code(await self.call('DELETE', '/forms/other', test1))).toBe('200');
  expect(code(await self.call('DELETE', '/forms/other', test1))).toBe('200');
  expect((await counted()) - before).toBe(one);
  await edge.gateway.forms.removeAll(await Array.fromAsync(edge.gateway.forms.rows.find({ owner: await ownerOf(self) })));
  expect(await counted()).toBe(before);
  edge.stored[account] = Number.MAX_SAFE_INTEGER;
  await counted();
  expect(code(await put('invoice', 1))).toBe('422 storage_quota_exceeded');
});

const ownerOf = async (self: Awaited<ReturnType<typeof owner>>['self']): Promise<string> => {
  const { body } = await self.call('GET', '/me');
  return `${(body['member'] as { id: string }).id}.test`;
};
