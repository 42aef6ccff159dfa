package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

const (
	keyBytesMin      = 24
	toleranceSeconds = 300
)

// readKey returns the key of a secret, and an error unless it is whsec_ and at least 24 bytes: anybody can sign with an
// empty one.
func readKey(secret string) ([]byte, error) {
	if !strings.HasPrefix(secret, "whsec_") {
		secret = "whsec_"
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < keyBytesMin {
		return nil, errors.New("expected whsec_ and at least 24 bytes in base64")
	}
	return key, nil
}

// isSigned reports whether the header webhook-signature has a signature of this secret for these bytes, at most five
// minutes old (Standard Webhooks 1.0). The body is as received, before it is parsed; now is in seconds since 1970.
// It is false for a secret of which readKey returns an error.
func isSigned(secret, id, timestamp, signatures string, body []byte, now int64) bool {
	key, err := readKey(secret)
	if err != nil {
		return false
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return false
	}
	if age := now - int64(seconds); age > toleranceSeconds || age < -toleranceSeconds {
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
