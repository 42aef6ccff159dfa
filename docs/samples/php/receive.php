<?php
// Receives webhooks.
//
//     WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:4000 receive.php
//
// php -S is for trying it out. In production, run it under PHP-FPM behind a server that terminates TLS.
declare(strict_types=1);

require __DIR__ . '/webhook_signature.php';

const BODY_MAX = 1_000_000;

function handle(array $event): void
{
    error_log($event['type']);
    // A type that you do not know, also of a later version, needs nothing: the answer is 204.
    if ($event['type'] === 'rates.changed') {
        foreach ($event['changes'] as $row) {
            error_log("{$row['country']} {$row['field']} changed");
        }
    }
}

/** Whether this id has not been seen. In production: a table with a unique column. */
function isNew(string $id): bool
{
    $folder = getenv('SEEN_FOLDER') ?: sys_get_temp_dir() . '/vatfx-seen';
    @mkdir($folder, 0700, true);
    // Mode x creates the file, and fails if it exists.
    return @fopen("$folder/" . hash('sha256', $id), 'x') !== false;
}

$secret = (string) getenv('WEBHOOK_SECRET');
try {
    readKey($secret);
} catch (InvalidArgumentException $error) {
    // PHP has no start at which it could stop. The service sends the event again.
    error_log("WEBHOOK_SECRET: {$error->getMessage()}; every delivery is refused");
    http_response_code(500);
    exit;
}
$body = file_get_contents('php://input', length: BODY_MAX + 1);
$header = fn (string $name): string => $_SERVER['HTTP_WEBHOOK_' . $name] ?? '';
if (strlen($body) > BODY_MAX) {
    http_response_code(413);
} elseif (!isSigned($secret, $header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $body, time())) {
    http_response_code(401);
} else {
    // An attempt that is repeated and a replay have the id of the first attempt.
    if (isNew($header('ID'))) {
        handle(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
    }
    http_response_code(204);
}
