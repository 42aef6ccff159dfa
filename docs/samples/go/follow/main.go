// Prints each event once, in order, and continues after the last one when it is started again.
//
//	export URL=http://127.0.0.1:8080 KEY=vfx_... PLACE=place.txt
//	go run ./follow
//
// Go 1.19 or later, no modules.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"time"
)

type event struct{ ID, Type, Cursor string }

type page struct {
	Events     []event
	NextCursor string
}

var (
	client      = http.Client{Timeout: 40 * time.Second}
	firstCursor = regexp.MustCompile("after=([^>&]+)")
)

// readPage returns a page. It waits and returns nil if the request has to be repeated.
func readPage(cursor string) *page {
	query := url.Values{"waitSeconds": {"30"}}
	if cursor != "" {
		query.Set("after", cursor)
	}
	request, err := http.NewRequest(http.MethodGet, os.Getenv("URL")+"/events?"+query.Encode(), nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	response, err := client.Do(request)
	if err != nil {
		return waitFor("")
	}
	defer response.Body.Close()
	found := new(page)
	switch status := response.StatusCode; {
	case status == http.StatusGone:
		// Events were missed: read the data that you keep again, then continue with the oldest stored event.
		found.NextCursor = firstCursor.FindStringSubmatch(response.Header.Get("Link"))[1]
	case status == http.StatusTooManyRequests || status >= 500:
		return waitFor(response.Header.Get("Retry-After"))
	case status != http.StatusOK:
		log.Fatal(response.Status)
	case json.NewDecoder(response.Body).Decode(found) != nil:
		return waitFor("")
	}
	return found
}

func waitFor(retryAfter string) *page {
	seconds, err := strconv.Atoi(retryAfter)
	if err != nil {
		seconds = 5
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	return nil
}

// store keeps the place. In your program it is in your database, in one transaction with the result of the event. The file
// gets its name when it is whole: a program may be ended at any time.
func store(cursor string) {
	place := os.Getenv("PLACE")
	if err := os.WriteFile(place+".draft", []byte(cursor), 0o600); err != nil {
		log.Fatal(err)
	}
	if err := os.Rename(place+".draft", place); err != nil {
		log.Fatal(err)
	}
}

func main() {
	for {
		cursor, err := os.ReadFile(os.Getenv("PLACE"))
		if err != nil && !os.IsNotExist(err) {
			log.Fatal(err)
		}
		found := readPage(string(cursor))
		if found == nil {
			continue
		}
		for _, event := range found.Events {
			fmt.Println(event.ID, event.Type)
			store(event.Cursor)
		}
		store(found.NextCursor)
	}
}
