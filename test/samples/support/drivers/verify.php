<?php
// Answers each line of a case with true or false.
declare(strict_types=1);

require __DIR__ . '/webhook_signature.php';

while (($line = fgets(STDIN)) !== false) {
    [$secret, $id, $timestamp, $signatures, $body, $now] = explode("\t", rtrim($line, "\n"));
    echo isSigned($secret, $id, $timestamp, $signatures, base64_decode($body), (int) $now) ? "true\n" : "false\n";
}
