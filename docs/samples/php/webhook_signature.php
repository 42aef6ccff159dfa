<?php
declare(strict_types=1);

const KEY_BYTES_MIN = 24;
const TOLERANCE_SECONDS = 300;

/** The key of a secret. Throws unless it is whsec_ and at least 24 bytes: anybody can sign with an empty one. */
function readKey(string $secret): string
{
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, strlen('whsec_')), true) : '';
    if ($key === false || strlen($key) < KEY_BYTES_MIN) {
        throw new InvalidArgumentException('expected whsec_ and at least 24 bytes in base64');
    }
    return $key;
}

/**
 * Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old
 * (Standard Webhooks 1.0).
 *
 * $body is the body as received, before it is parsed. $now is in seconds since 1970. Throws as readKey() does.
 */
function isSigned(string $secret, string $id, string $timestamp, string $signatures, string $body, int $now): bool
{
    $key = readKey($secret);
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1 || abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation there are several signatures. hash_equals takes the same time wherever they differ.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
