// Receives webhooks.
//
//	WEBHOOK_SECRET=whsec_... PORT=4000 go run ./receive
//
// Put it behind a server that terminates TLS. Go 1.19 or later, no modules.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

const bodyMax = 1_000_000

// event has the type of any event. The other fields are read once the type is known.
type event struct{ Type string }

type ratesChanged struct {
	Changes []struct {
		Country, Field string
		// Nil if there was or is no such rate.
		Old, New *json.Number
	}
}

var secret = os.Getenv("WEBHOOK_SECRET")

// In production: a table with a unique column, so that ids survive a restart.
var seen = struct {
	sync.Mutex
	ids map[string]bool
}{ids: map[string]bool{}}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyMax))
	if err != nil {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	id := request.Header.Get("webhook-id")
	timestamp := request.Header.Get("webhook-timestamp")
	signatures := request.Header.Get("webhook-signature")
	if !isSigned(secret, id, timestamp, signatures, body, time.Now().Unix()) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	seen.Lock()
	defer seen.Unlock()
	// An attempt that is repeated and a replay have the id of the first attempt.
	if !seen.ids[id] {
		if err := handle(body); err != nil {
			// The service sends the event again.
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		seen.ids[id] = true
	}
	response.WriteHeader(http.StatusNoContent)
}

func handle(body []byte) error {
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		return err
	}
	fmt.Println(received.Type)
	if received.Type != "rates.changed" {
		// A type that you do not know, also of a later version, needs nothing: the answer is 204.
		return nil
	}
	var rates ratesChanged
	if err := json.Unmarshal(body, &rates); err != nil {
		return err
	}
	for _, row := range rates.Changes {
		fmt.Println(row.Country, row.Field, text(row.Old), "->", text(row.New))
	}
	return nil
}

func text(rate *json.Number) string {
	if rate == nil {
		return "none"
	}
	return rate.String()
}

func main() {
	if _, err := readKey(secret); err != nil {
		log.Fatal("WEBHOOK_SECRET: ", err)
	}
	server := http.Server{
		Addr:        "127.0.0.1:" + os.Getenv("PORT"),
		Handler:     http.HandlerFunc(receive),
		ReadTimeout: 10 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}
