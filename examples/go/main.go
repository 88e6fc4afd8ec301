// From a customer to a credit note, with a client that is generated from the product's own OpenAPI document (see ../README.md).
package main

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"example/api"
)

var hook = cmp.Or(os.Getenv("WEBHOOK_URL"), "http://127.0.0.1:9000/hook")
var ctx = context.Background()

func withKey(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	return nil
}

// done returns the answer's data, or ends the program with the answer as it came.
func done[T any](data *T, body []byte, err error) *T {
	if err != nil || data == nil {
		log.Fatal(err, string(body))
	}
	return data
}

// IsGenuine takes the bytes as received, before any JSON parser.
func IsGenuine(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hmac.Equal([]byte(signature), []byte(hex.EncodeToString(mac.Sum(nil))))
}

// decimal is exact: an amount can be a number or a string.
func decimal(text string) *api.Decimal {
	var one api.Decimal
	if err := one.FromDecimal1(text); err != nil {
		log.Fatal(err)
	}
	return &one
}

func ref[T any](value T) *T { return &value }

func main() {
	client, err := api.NewClientWithResponses(cmp.Or(os.Getenv("API"), "http://localhost:3000/v1"), api.WithRequestEditorFn(withKey))
	if err != nil {
		log.Fatal(err)
	}

	// The endpoint that receives events. Only genuine ones are accepted.
	created, err := client.CreateWebhookWithResponse(ctx, nil, api.CreateWebhook{Url: hook, Events: []api.EventSubscription{"invoice.submitted"}})
	endpoint := done(created.JSON201, created.Body, err)
	received := make(chan api.InvoiceEvent, 10)
	http.HandleFunc("/hook", func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		var event api.InvoiceEvent
		if !IsGenuine(body, request.Header.Get("X-Service-Signature"), *endpoint.Secret) || json.Unmarshal(body, &event) != nil {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		received <- event
	})
	address, err := url.Parse(hook)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:"+address.Port(), nil)) }()

	newCustomer := func(name string) *api.Customer {
		answer, err := client.CreateCustomerWithResponse(ctx, nil, api.CreateCustomer{Name: name})
		return done(answer.JSON201, answer.Body, err)
	}
	customer := newCustomer("Blue Door Books")

	draft := func(body api.CreateInvoice) *api.Invoice {
		answer, err := client.CreateInvoiceWithResponse(ctx, nil, body)
		return done(answer.JSON201, answer.Body, err)
	}
	// Waits for the authority's answer at most 10 seconds.
	submitted := func(draft *api.Invoice) *api.Invoice {
		answer, err := client.SubmitInvoiceWithResponse(ctx, draft.Id, &api.SubmitInvoiceParams{Prefer: ref("wait=10")}, api.SubmitDocument{})
		return done(answer.JSON200, answer.Body, err)
	}
	items := func(quantity string) []api.ItemInput {
		return []api.ItemInput{{
			Description: ref("Consulting"), Quantity: decimal(quantity), UnitPrice: decimal("50.25"), TaxRate: decimal("20"),
		}}
	}
	invoice := submitted(draft(api.CreateInvoice{CustomerId: customer.Id, Items: items("2")}))
	var event api.InvoiceEvent
	select {
	case event = <-received:
	case <-time.After(30 * time.Second):
		log.Fatal("no webhook within 30 seconds")
	}

	creditNote := submitted(draft(api.CreateInvoice{
		CustomerId: customer.Id, Type: ref(api.DocumentTypeCreditNote), Corrects: &invoice.Id, Items: items("1"),
	}))

	// Pages: until the last one.
	for n := range 4 {
		newCustomer(fmt.Sprintf("Customer %d", n+1))
	}
	ids, page := []string{}, 0
	for last := 1; page < last; {
		page++
		answer, err := client.ListCustomersWithResponse(ctx, &api.ListCustomersParams{Page: &page, PerPage: ref(2)})
		list := done(answer.JSON200, answer.Body, err)
		for _, one := range list.Data {
			ids = append(ids, one.Id)
		}
		last = int(list.Meta.LastPage)
	}

	// Errors: the code decides, `issues` names the fields.
	refused, err := client.CreateInvoiceWithResponse(ctx, nil, api.CreateInvoice{
		CustomerId: customer.Id, Items: []api.ItemInput{{UnitPrice: decimal("much")}},
	})
	wrong := done(refused.JSON422, refused.Body, err)
	late, err := client.UpdateInvoiceWithResponse(ctx, invoice.Id, &api.UpdateInvoiceParams{IfMatch: ref(`"99"`)}, api.UpdateInvoice{})
	conflict := done(late.JSON412, late.Body, err)

	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{
		"invoice": invoice.Id, "number": invoice.Number, "total": invoice.Total, "fiscal_code": invoice.FiscalCode,
		"event": event.Type, "event_number": event.Data.Number,
		"credit_note": creditNote.Number, "credit_note_total": creditNote.Total,
		"customers": len(ids), "pages": page,
		"error": wrong.Error.Code, "field": (*wrong.Error.Issues)[0].Field, "conflict": conflict.Error.Code,
	}); err != nil {
		log.Fatal(err)
	}
}
