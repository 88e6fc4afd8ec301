// `helm test`: what an installed system answers. With a test key in API_KEY a document of the sandbox has to get its fiscal code; that costs a number of that series.
const { GATEWAY, API_KEY } = process.env;
const DEADLINE_MS = 30_000;

async function ask(method, path, expected, body, headers = {}) {
  const authorization = API_KEY ? { authorization: `Bearer ${API_KEY}` } : {};
  const response = await fetch(`${GATEWAY}${path}`, {
    method,
    headers: { ...authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const text = await response.text();
  if (response.status !== expected)
    throw new Error(`${method} ${path} was answered ${response.status}, not ${expected}: ${text.slice(0, 1000)}`);
  console.log(`${method} ${path}: ${response.status}`);
  return text.startsWith('{') ? JSON.parse(text) : text;
}

try {
  if (API_KEY && !API_KEY.startsWith('svc_test_'))
    throw new Error('The key is no test key: a live document would be registered with an authority.');
  await ask('GET', '/openapi.json', 200);
  if (!API_KEY) await ask('GET', '/v1/invoices', 401);
  else await registerOne();
} catch (error) {
  console.error(error.cause ? `${error.message}: ${error.cause.message}` : error.message);
  process.exitCode = 1;
}

async function registerOne() {
  for (const path of ['/v1/invoices', '/v1/webhooks', '/v1/fiscal-credentials', '/v1/reports']) await ask('GET', path, 200);
  const customer = await ask('POST', '/v1/customers', 201, { name: 'helm test' });
  const items = [{ description: 'helm test', quantity: 1, unit_price: 1 }];
  const invoice = await ask('POST', '/v1/invoices', 201, { customer_id: customer.id, items });
  const submitted = await ask('POST', `/v1/invoices/${invoice.id}/submit`, 200, undefined, { prefer: 'wait=20' });
  if (!submitted.fiscal?.code) throw new Error(`${invoice.id} has no fiscal code after 20 s: ${JSON.stringify(submitted.fiscal)}`);
  console.log(`${submitted.number} has the fiscal code ${submitted.fiscal.code}`);
}
