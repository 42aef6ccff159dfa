<?php
// Converts an amount in euro and checks a VAT number.
//
//     export URL=http://127.0.0.1:8080 KEY=vfx_...
//     php call.php 19.90 USD GR 100
//
// PHP 8.0 or later, no extensions. json_decode() makes floats of rates, so a rate is read from the text of the
// body, and computed with as an integer and its number of decimals. With the extension bcmath, use bcmul().
declare(strict_types=1);

/** @return array{int, array<string, string>, string} Status, headers with names in lower case, body. */
function get(string $path): array
{
    $body = file_get_contents(getenv('URL') . $path, false, stream_context_create(['http' => [
        'header' => 'Authorization: Bearer ' . getenv('KEY'),
        'ignore_errors' => true,
        'timeout' => 12, // A VAT check may take 10 seconds.
    ]]));
    if ($body === false) {
        exit("no answer from the service\n");
    }
    $headers = [];
    foreach ($http_response_header as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
    }
    return [(int) explode(' ', $http_response_header[0])[1], $headers, $body];
}

/** The digits of a decimal as an integer, and how many of them are behind the point: '1.16' is [116, 2]. */
function readDecimal(string $text): array
{
    [$whole, $decimals] = explode('.', $text) + [1 => ''];
    return [(int) ($whole . $decimals), strlen($decimals)];
}

/** The product of two decimals that are not negative, rounded once, half up, to two decimals. */
function multiply(string $one, string $other): string
{
    [$a, $aDecimals] = readDecimal($one);
    [$b, $bDecimals] = readDecimal($other);
    $product = $a * $b;
    if (!is_int($product)) {
        throw new RangeException('the amount is too large for integers of 64 bits: use bcmath');
    }
    $surplus = $aDecimals + $bDecimals - 2;
    $cents = $surplus <= 0
        ? $product * 10 ** -$surplus
        : intdiv($product + intdiv(10 ** $surplus, 2), 10 ** $surplus);
    return sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
}

function convert(string $amount, string $currency): void
{
    [$status, , $body] = get('/fx');
    $fx = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    if ($status !== 200) {
        exit("/fx: $status {$fx['error']}\n");
    }
    // The body is compact JSON, and a currency occurs once in it.
    if (preg_match('/"' . preg_quote($currency, '/') . '":([0-9.]+)/', $body, $found) !== 1) {
        exit("no rate of $currency\n");
    }
    echo "$amount EUR = ", multiply($amount, $found[1]), " $currency on {$fx['date']}\n";
}

function checkVat(string $country, string $number): void
{
    $path = '/vatcheck/' . rawurlencode($country) . '/' . rawurlencode($number);
    [$status, $headers, $body] = get($path);
    $answer = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    echo match ($status) {
        // Store requestDate: it is the evidence of when you checked.
        200 => ($answer['valid'] ? 'registered' : 'not registered') . " on {$answer['requestDate']}\n",
        422 => "not a possible VAT number\n",
        // An outage is not an answer: decide by your own rules, and check again later.
        502, 503 => "unknown: {$answer['error']}, check again after " . ($headers['retry-after'] ?? 3600) . " s\n",
        default => exit("$path: $status {$answer['error']}\n"),
    };
}

convert($argv[1], $argv[2]);
checkVat($argv[3], $argv[4]);
