// One round of load from this process (autocannon), on the processor that the server does not use.
import autocannon from 'autocannon';

/** @returns {Promise<{ perSecond, cpuMicros, p50, p99, wrong, requests }>} wrong: responses other than 2xx, and errors. */
export async function load(server, { url, method = 'GET', headers = {}, body, connections = 64, seconds = 2, vary }) {
  const before = server.cpu();
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method, headers, ...(body ? { body } : {}), ...(vary ? { setupRequest: vary } : {}) }],
  });
  const requests = result['2xx'] + result.non2xx;
  return {
    perSecond: requests / result.duration,
    cpuMicros: (server.cpu() - before) / requests,
    p50: result.latency.p50,
    p99: result.latency.p99,
    wrong: result.non2xx + result.errors + result.timeouts,
    requests,
  };
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
