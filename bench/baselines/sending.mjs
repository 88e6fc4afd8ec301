// What the baselines of webhook deliveries share: signed POSTs of BODY to the subscriber TO through one pool, and a port on which a benchmark asks for some.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Pool } from 'undici';

export const IN_FLIGHT = 64;
export const body = readFileSync(process.env.BODY, 'utf8');
const { origin, pathname: path } = new URL(process.env.TO);
const pool = new Pool(origin, { connections: IN_FLIGHT });
const key = createSecretKey(randomBytes(32));

/** Throws for an answer other than 2xx. */
export async function deliver(text) {
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
  const answer = await pool.request({ path, method: 'POST', headers, body: text });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`the subscriber answered ${answer.statusCode}`);
}

/** `GET /?n=1000` answers when `send(1000)` has resolved. */
export const serve = (send) =>
  createServer(async (request, response) => {
    const count = Number(new URL(request.url, origin).searchParams.get('n'));
    if (count > 0) await send(count);
    response.end();
  }).listen(Number(process.env.PORT), '127.0.0.1');
