// Exits with 0 when the service of this container is ready. HEALTH_URL is for a process without an operators' port.
const { HEALTH_URL, OPS_PORT = '3001' } = process.env;
const url = HEALTH_URL ?? `http://127.0.0.1:${OPS_PORT}/readyz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(2500) }).catch((error) => ({ ok: false, status: error.message }));
if (!answer.ok) {
  console.error(`${url}: ${answer.status}`);
  process.exit(1);
}
