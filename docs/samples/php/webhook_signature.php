<?php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old
 * (Standard Webhooks 1.0).
 *
 * $body is the body as received, before it is parsed. $now is in seconds since 1970.
 */
function isSigned(string $secret, string $id, string $timestamp, string $signatures, string $body, int $now): bool
{
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1 || abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    if ($key === false || $key === '') {
        throw new InvalidArgumentException('the secret is not of the form whsec_…');
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
