// Converts an amount in euro and checks a VAT number.
//
//	export URL=http://127.0.0.1:8080 KEY=vfx_...
//	go run ./call 19.90 USD GR 100
//
// Go 1.19 or later, no modules.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"time"
)

// A VAT check may take 10 seconds.
var client = http.Client{Timeout: 12 * time.Second}

// get reads the body into answer and returns the response.
func get(path string, answer any) *http.Response {
	request, err := http.NewRequest(http.MethodGet, os.Getenv("URL")+path, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		log.Fatal(err)
	}
	return response
}

func convert(amount, currency string) {
	var fx struct {
		Date string
		// json.Number keeps the digits; float64 would not.
		Rates map[string]json.Number
		Error string
	}
	if response := get("/fx", &fx); response.StatusCode != http.StatusOK {
		log.Fatalf("/fx: %d %s", response.StatusCode, fx.Error)
	}
	euros, isAmount := new(big.Rat).SetString(amount)
	rate, isRate := new(big.Rat).SetString(fx.Rates[currency].String())
	if !isAmount || !isRate {
		log.Fatalf("cannot convert %s EUR to %s", amount, currency)
	}
	// Exact until FloatString rounds once, half away from zero.
	rounded := new(big.Rat).Mul(euros, rate).FloatString(2)
	fmt.Printf("%s EUR = %s %s on %s\n", amount, rounded, currency, fx.Date)
}

func checkVat(country, number string) {
	var answer struct {
		Valid       bool
		RequestDate string
		Error       string
	}
	path := "/vatcheck/" + url.PathEscape(country) + "/" + url.PathEscape(number)
	response := get(path, &answer)
	switch response.StatusCode {
	case http.StatusOK:
		result := "not registered"
		if answer.Valid {
			result = "registered"
		}
		// Store RequestDate: it is the evidence of when you checked.
		fmt.Println(result, "on", answer.RequestDate)
	case http.StatusUnprocessableEntity:
		fmt.Println("not a possible VAT number")
	case http.StatusBadGateway, http.StatusServiceUnavailable:
		// An outage is not an answer: decide by your own rules, and check again later.
		retryAfter := response.Header.Get("Retry-After")
		if retryAfter == "" {
			retryAfter = "3600"
		}
		fmt.Printf("unknown: %s, check again after %s s\n", answer.Error, retryAfter)
	default:
		log.Fatalf("%s: %d %s", path, response.StatusCode, answer.Error)
	}
}

func main() {
	convert(os.Args[1], os.Args[2])
	checkVat(os.Args[3], os.Args[4])
}
