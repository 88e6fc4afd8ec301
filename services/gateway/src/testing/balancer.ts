import { connect, createServer, type Server } from 'node:net';

/** A balancer of layer 4 at one address: each connection leads to the next of the upstreams, of which there may be more later. The caller closes the server. */
export async function startBalancer(upstreams: readonly { port: number }[]): Promise<{ origin: string; server: Server }> {
  let n = 0;
  const server = createServer((socket) => {
    const { port } = upstreams[(n += 1) % upstreams.length] as { port: number };
    const target = connect(port, '127.0.0.1');
    socket.on('error', () => target.destroy()).on('close', () => target.destroy());
    target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(target).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server };
}
