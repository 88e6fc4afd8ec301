import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import invoicing.ApiClient;
import invoicing.ApiException;
import invoicing.api.CustomersApi;
import invoicing.api.InvoicesApi;
import invoicing.api.WebhooksApi;
import invoicing.model.CreateCustomer;
import invoicing.model.CreateInvoice;
import invoicing.model.CreateWebhook;
import invoicing.model.Customer;
import invoicing.model.Decimal;
import invoicing.model.DocumentType;
import invoicing.model.Error;
import invoicing.model.ErrorBody;
import invoicing.model.EventSubscription;
import invoicing.model.Invoice;
import invoicing.model.InvoiceEvent;
import invoicing.model.ItemInput;
import invoicing.model.SubmitDocument;
import invoicing.model.UpdateInvoice;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** From a customer to a credit note, with a client that is generated from the product's own OpenAPI document (see ../README.md). */
public class Main {
  static final ObjectMapper json = ApiClient.createDefaultObjectMapper();
  static final ApiClient client = new ApiClient();
  static final CustomersApi customers;
  static final InvoicesApi invoices;

  static {
    client.updateBaseUri(System.getenv().getOrDefault("API", "http://localhost:3000/v1"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("KEY")));
    customers = new CustomersApi(client);
    invoices = new InvoicesApi(client);
  }

  /** body: the bytes as received, before any JSON parser. A signature is null where the header is missing. */
  static boolean isGenuine(byte[] body, String signature, String secret) {
    String expected = HexFormat.of().formatHex(hmac(secret.getBytes(StandardCharsets.UTF_8), body));
    return signature != null && MessageDigest.isEqual(expected.getBytes(), signature.getBytes());
  }

  private static byte[] hmac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : parts) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  /** An amount can be a number or, exact in every language, a string. */
  static ItemInput item(String quantity) {
    return new ItemInput().description("Consulting").quantity(new Decimal(quantity)).unitPrice(new Decimal("50.25")).taxRate(new Decimal("20"));
  }

  /** Waits for the authority's answer at most 10 seconds. An omitted body would be sent as `null`, which is refused. */
  static Invoice submitted(CreateInvoice body) throws ApiException {
    Invoice draft = invoices.createInvoice(body, null, null);
    return invoices.submitInvoice(draft.getId(), null, null, "wait=10", new SubmitDocument());
  }

  interface Request {
    void send() throws ApiException;
  }

  /** Errors: the code decides, `issues` names the fields. */
  static ErrorBody refused(Request request) throws Exception {
    try {
      request.send();
    } catch (ApiException error) {
      return json.readValue(error.getResponseBody(), Error.class).getError();
    }
    throw new IllegalStateException("it was not refused");
  }

  public static void main(String[] args) throws Exception {
    // The endpoint that receives events. Only genuine ones are accepted.
    URI url = URI.create(System.getenv().getOrDefault("WEBHOOK_URL", "http://127.0.0.1:9000/hook"));
    String secret = new WebhooksApi(client)
      .createWebhook(new CreateWebhook().url(url.toString()).events(Set.of(EventSubscription.INVOICE_SUBMITTED)), null)
      .getSecret();
    var received = new ArrayBlockingQueue<InvoiceEvent>(10);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", url.getPort()), 0);
    server.createContext("/hook", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean genuine = isGenuine(body, exchange.getRequestHeaders().getFirst("X-Service-Signature"), secret);
      exchange.sendResponseHeaders(genuine ? 200 : 401, -1);
      exchange.close();
      if (genuine) received.add(json.readValue(body, InvoiceEvent.class));
    });
    server.start();
    try {
      run(received);
    } finally {
      server.stop(0);
    }
  }

  static void run(BlockingQueue<InvoiceEvent> received) throws Exception {
    Customer customer = customers.createCustomer(new CreateCustomer().name("Blue Door Books"), null);
    Invoice invoice = submitted(new CreateInvoice().customerId(customer.getId()).addItemsItem(item("2")));
    InvoiceEvent event = received.poll(30, TimeUnit.SECONDS);

    Invoice creditNote = submitted(
      new CreateInvoice()
        .customerId(customer.getId())
        .type(DocumentType.CREDIT_NOTE)
        .corrects(invoice.getId())
        .addItemsItem(item("1")));

    // Pages: until the last one.
    for (int n = 1; n <= 4; n += 1) customers.createCustomer(new CreateCustomer().name("Customer " + n), null);
    List<String> ids = new ArrayList<>();
    int page = 0;
    for (long last = 1; page < last; ) {
      page += 1;
      var list = customers.listCustomers(null, null, null, null, null, page, 2);
      list.getData().forEach(one -> ids.add(one.getId()));
      last = list.getMeta().getLastPage();
    }

    ErrorBody wrong = refused(() ->
      invoices.createInvoice(
        new CreateInvoice().customerId(customer.getId()).addItemsItem(new ItemInput().unitPrice(new Decimal("much"))), null, null));
    ErrorBody late = refused(() -> invoices.updateInvoice(invoice.getId(), "\"99\"", null, new UpdateInvoice().notes("late")));

    Map<String, Object> result = new LinkedHashMap<>();
    result.put("invoice", invoice.getId());
    result.put("number", invoice.getNumber());
    result.put("total", invoice.getTotal());
    result.put("fiscal_code", invoice.getFiscalCode());
    result.put("event", event.getType());
    result.put("event_number", event.getData().getNumber());
    result.put("credit_note", creditNote.getNumber());
    result.put("credit_note_total", creditNote.getTotal());
    result.put("customers", ids.size());
    result.put("pages", page);
    result.put("error", wrong.getCode());
    result.put("field", wrong.getIssues().get(0).getField());
    result.put("conflict", late.getCode());
    System.out.println(json.writeValueAsString(result));
  }
}
