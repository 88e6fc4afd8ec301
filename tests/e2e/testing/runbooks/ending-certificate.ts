import { once } from 'node:events';
import { createServer } from 'node:tls';
import { client } from '@svc/testkit';
import type { LiveAuthorities, LiveAuthority } from '../../../authorities/testing/live-authorities.ts';

/** In place of the authority something answers at its origin whose certificate ends in so many days. Returns what makes the authority answer again. */
export async function answerWithCertificate(authorities: LiveAuthorities, authority: LiveAuthority, days: number) {
  const asked = { authority, tax_id: 'of a server', days };
  const { body } = await client(authorities.url)<{ certificate_pem: string; key_pem: string }>('POST', '/certificates', { body: asked });
  await authorities.leave();
  const server = createServer({ cert: body.certificate_pem, key: body.key_pem }, (socket) => socket.on('error', () => undefined).end());
  server.listen(Number(new URL(authorities.origin(authority)).port), '127.0.0.1');
  await once(server, 'listening');
  return async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve));
    await authorities.comeBack();
  };
}
