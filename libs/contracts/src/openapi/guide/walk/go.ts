import { snippets } from '../snippets/snippets.ts';
import type { StepName } from './steps.ts';

export const go = (api: string): Record<StepName, string> => ({
  key: `package main

import (
	"bytes"
	"cmp"
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
)

var api = cmp.Or(os.Getenv("API"), "${api}")
var key = cmp.Or(os.Getenv("KEY"), "svc_test_…")

type object = map[string]any

func call(method, path string, body object, prefer string) object {
	data, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, api+path, bytes.NewReader(data))
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Prefer", prefer)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var result object
	if err := json.NewDecoder(answer.Body).Decode(&result); err != nil || answer.StatusCode >= 400 {
		log.Fatal(result["error"], err)
	}
	return result
}

func main() {
`,
  customer: `	customer := call("POST", "/customers", object{"name": "Blue Door Books"}, "")
`,
  invoice: `	invoice := call("POST", "/invoices", object{
		"customer_id": customer["id"],
		"items":       []object{{"description": "Consulting", "quantity": 2, "unit_price": "50.25", "tax_rate": 20}},
	}, "")
`,
  submit: `	submitted := call("POST", fmt.Sprintf("/invoices/%s/submit", invoice["id"]), object{}, "wait=10")
	fmt.Println("fiscal code:", submitted["fiscal_code"])
`,
  webhook: `	hook := cmp.Or(os.Getenv("WEBHOOK_URL"), "http://127.0.0.1:9000/hook")
	endpoint := call("POST", "/webhooks", object{"url": hook, "events": []string{"*"}}, "")
	received := make(chan object)
	http.HandleFunc("/hook", func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		if !IsGenuine(body, request.Header.Get("X-Service-Signature"), endpoint["secret"].(string)) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event object
		json.Unmarshal(body, &event)
		received <- event
	})
	address, _ := url.Parse(hook)
	go http.ListenAndServe("127.0.0.1:"+address.Port(), nil)
	call("PATCH", fmt.Sprintf("/customers/%s", customer["id"]), object{"phone": "+44 20 7946 0000"}, "")
	fmt.Println("event:", (<-received)["type"])
}

${snippets.go.service}`,
});
