<?php
// Answers each line of a case with true or false; false for a secret that cannot be used.
declare(strict_types=1);

require __DIR__ . '/webhook_signature.php';

while (($line = fgets(STDIN)) !== false) {
    [$secret, $id, $timestamp, $signatures, $body, $now] = explode("\t", rtrim($line, "\n"));
    try {
        $answer = isSigned($secret, $id, $timestamp, $signatures, base64_decode($body), (int) $now);
    } catch (InvalidArgumentException) {
        $answer = false;
    }
    echo $answer ? "true\n" : "false\n";
}
