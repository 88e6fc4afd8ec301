import { snippets } from '../snippets/snippets.ts';
import type { StepName } from './steps.ts';

export const php = (api: string): Record<StepName, string> => ({
  key: `<?php
$api = getenv('API') ?: '${api}';
$key = getenv('KEY') ?: 'svc_test_…';

function call(string $method, string $path, ?array $body = null, array $headers = []): array
{
    global $api, $key;
    $sent = ["Authorization: Bearer $key", 'Content-Type: application/json', ...$headers];
    $content = $body === null ? '' : json_encode($body);
    $options = ['method' => $method, 'header' => $sent, 'content' => $content, 'ignore_errors' => true];
    $result = json_decode(file_get_contents($api . $path, false, stream_context_create(['http' => $options])), true);
    if (isset($result['error'])) {
        throw new RuntimeException("{$result['error']['code']}: {$result['error']['message']}");
    }
    return $result;
}
`,
  customer: `$customer = call('POST', '/customers', ['name' => 'Blue Door Books']);
`,
  invoice: `$invoice = call('POST', '/invoices', [
    'customer_id' => $customer['id'],
    'items' => [['description' => 'Consulting', 'quantity' => 2, 'unit_price' => '50.25', 'tax_rate' => 20]],
]);
`,
  submit: `$submitted = call('POST', "/invoices/{$invoice['id']}/submit", null, ['Prefer: wait=10']);
echo "fiscal code: {$submitted['fiscal_code']}\\n";
`,
  webhook: `$url = getenv('WEBHOOK_URL') ?: 'http://127.0.0.1:9000/hook';
$endpoint = call('POST', '/webhooks', ['url' => $url, 'events' => ['*']]);
echo "secret: {$endpoint['secret']}\\n";

// In the script that answers the URL:
//   $genuine = is_genuine(file_get_contents('php://input'), $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $secret);
//   http_response_code($genuine ? 200 : 401);
${snippets.php.service}`,
});
