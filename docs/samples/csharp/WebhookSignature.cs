using System;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

/// <summary>Verifies webhooks of vatfx (Standard Webhooks 1.0).</summary>
public static class WebhookSignature
{
    private const long ToleranceSeconds = 300;

    /// <summary>
    /// Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old.
    /// The body is as received, before it is parsed; now is in seconds since 1970.
    /// </summary>
    public static bool IsSigned(string secret, string id, string timestamp, string signatures, byte[] body, long now)
    {
        long seconds;
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out seconds)) return false;
        if (seconds > now + ToleranceSeconds || seconds < now - ToleranceSeconds) return false;
        var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(key))
        {
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
            // During a rotation there are several signatures. FixedTimeEquals takes the same time wherever they differ.
            return signatures.Split(' ')
                .Any(one => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), expected));
        }
    }
}
