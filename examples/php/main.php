<?php
// From a customer to a credit note, with a client that is generated from the product's own OpenAPI document (see ../README.md).

declare(strict_types=1);

use OpenAPI\Client\Api\CustomersApi;
use OpenAPI\Client\Api\InvoicesApi;
use OpenAPI\Client\Api\WebhooksApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateCustomer;
use OpenAPI\Client\Model\CreateInvoice;
use OpenAPI\Client\Model\CreateWebhook;
use OpenAPI\Client\Model\DocumentType;
use OpenAPI\Client\Model\ErrorBody;
use OpenAPI\Client\Model\EventSubscription;
use OpenAPI\Client\Model\Invoice;
use OpenAPI\Client\Model\InvoiceEvent;
use OpenAPI\Client\Model\ItemInput;
use OpenAPI\Client\Model\UpdateInvoice;
use OpenAPI\Client\ObjectSerializer;

require __DIR__ . '/autoload.php';

$config = (new Configuration())
    ->setHost(getenv('API') ?: 'http://localhost:3000/v1')
    ->setAccessToken(getenv('KEY'));
$http = new GuzzleHttp\Client();
$customers = new CustomersApi($http, $config);
$invoices = new InvoicesApi($http, $config);
$webhooks = new WebhooksApi($http, $config);
$url = getenv('WEBHOOK_URL') ?: 'http://127.0.0.1:9000/hook';

/** $body: the bytes as received, file_get_contents('php://input'). */
function is_genuine(string $body, string $signature, string $secret): bool
{
    return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
}

/** Takes one request, as a web server would, and answers it. Only a genuine event is accepted. */
function receive($server, string $secret): InvoiceEvent
{
    $connection = stream_socket_accept($server, 30) ?: exit('no webhook within 30 seconds');
    $headers = [];
    fgets($connection);
    while (($line = trim(fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) $headers['content-length']);
    $genuine = is_genuine($body, $headers['x-service-signature'] ?? '', $secret);
    fwrite($connection, 'HTTP/1.1 ' . ($genuine ? '200 OK' : '401 Unauthorized') . "\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    fclose($connection);
    return $genuine ? ObjectSerializer::deserialize(json_decode($body), InvoiceEvent::class) : receive($server, $secret);
}

// The endpoint that receives events.
$server = stream_socket_server('tcp://127.0.0.1:' . parse_url($url, PHP_URL_PORT));
$endpoint = $webhooks->createWebhook(new CreateWebhook(['url' => $url, 'events' => [EventSubscription::INVOICE_SUBMITTED]]));

$customer = $customers->createCustomer(new CreateCustomer(['name' => 'Blue Door Books']));

// An amount can be a number or, exact in every language, a string.
$item = fn (int $quantity): ItemInput => new ItemInput([
    'description' => 'Consulting', 'quantity' => $quantity, 'unit_price' => '50.25', 'tax_rate' => 20,
]);
$draft = fn (array $body): Invoice => $invoices->createInvoice(new CreateInvoice(['customer_id' => $customer->getId(), ...$body]));
// Waits for the authority's answer at most 10 seconds.
$submitted = fn (Invoice $draft): Invoice => $invoices->submitInvoice($draft->getId(), prefer: 'wait=10');

$invoice = $submitted($draft(['items' => [$item(2)]]));
$event = receive($server, $endpoint->getSecret());

$credit = ['type' => DocumentType::CREDIT_NOTE, 'corrects' => $invoice->getId(), 'items' => [$item(1)]];
$creditNote = $submitted($draft($credit));

// Pages: until the last one.
foreach (range(1, 4) as $n) {
    $customers->createCustomer(new CreateCustomer(['name' => "Customer $n"]));
}
$ids = [];
$page = 0;
do {
    $page += 1;
    $list = $customers->listCustomers(page: $page, per_page: 2);
    foreach ($list->getData() as $one) {
        $ids[] = $one->getId();
    }
} while ($page < $list->getMeta()->getLastPage());

/** Errors: the code decides, `issues` names the fields. */
function refused(callable $request): ErrorBody
{
    try {
        $request();
    } catch (ApiException $error) {
        return $error->getResponseObject()->getError();
    }
    exit('it was not refused');
}
$wrong = refused(fn () => $draft(['items' => [new ItemInput(['unit_price' => 'much'])]]));
$late = refused(fn () => $invoices->updateInvoice($invoice->getId(), if_match: '"99"', update_invoice: new UpdateInvoice(['notes' => 'late'])));

echo json_encode([
    'invoice' => $invoice->getId(),
    'number' => $invoice->getNumber(),
    'total' => $invoice->getTotal(),
    'fiscal_code' => $invoice->getFiscalCode(),
    'event' => $event->getType(),
    'event_number' => $event->getData()->getNumber(),
    'credit_note' => $creditNote->getNumber(),
    'credit_note_total' => $creditNote->getTotal(),
    'customers' => count($ids),
    'pages' => $page,
    'error' => $wrong->getCode(),
    'field' => $wrong->getIssues()[0]->getField(),
    'conflict' => $late->getCode(),
]), "\n";
