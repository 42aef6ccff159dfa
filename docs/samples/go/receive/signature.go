package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

const toleranceSeconds = 300

// isSigned reports whether the header webhook-signature has a signature of this secret for these bytes, at most five
// minutes old (Standard Webhooks 1.0). The body is as received, before it is parsed; now is in seconds since 1970.
func isSigned(secret, id, timestamp, signatures string, body []byte, now int64) bool {
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return false
	}
	if age := now - int64(seconds); age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// During a rotation there are several signatures. hmac.Equal takes the same time wherever they differ.
	for _, signature := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}
