import fastify from 'fastify';
import { createCookies } from './cookies.ts';

async function linesAt(publicUrl: string): Promise<string[]> {
  const [app, cookies] = [fastify(), createCookies(publicUrl)];
  app.get('/', (_request, reply) => {
    cookies.setSession(reply, 's');
    cookies.setBrowser(reply, 'b');
    return reply.send('');
  });
  const { headers } = await app.inject('/');
  await app.close();
  return [headers['set-cookie'] ?? []].flat();
}

test('no script reads the cookies, no other site sends them, and they go to the dashboard’s interface alone', async () => {
  expect(await linesAt('http://localhost:3000')).toEqual([
    'svc_session=s; HttpOnly; SameSite=Strict; Path=/console',
    'svc_browser=b; HttpOnly; SameSite=Strict; Path=/console; Max-Age=7776000',
  ]);
});

test('behind https they are sent by it alone, and set by it alone', async () => {
  expect(await linesAt('https://invoices.example')).toEqual([
    '__Secure-svc_session=s; HttpOnly; SameSite=Strict; Path=/console; Secure',
    '__Secure-svc_browser=b; HttpOnly; SameSite=Strict; Path=/console; Secure; Max-Age=7776000',
  ]);
});
