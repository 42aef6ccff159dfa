using System;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

/// <summary>Verifies webhooks of vatfx (Standard Webhooks 1.0).</summary>
public static class WebhookSignature
{
    private const int KeyBytesMin = 24;
    private const long ToleranceSeconds = 300;

    /// <summary>
    /// The key of a secret. Throws FormatException unless it is whsec_ and at least 24 bytes: anybody can sign with an
    /// empty one.
    /// </summary>
    public static byte[] ReadKey(string secret)
    {
        var isSecret = secret != null && secret.StartsWith("whsec_", StringComparison.Ordinal);
        var key = isSecret ? Convert.FromBase64String(secret.Substring("whsec_".Length)) : new byte[0];
        if (key.Length < KeyBytesMin) throw new FormatException("expected whsec_ and at least 24 bytes in base64");
        return key;
    }

    /// <summary>
    /// Whether the header webhook-signature has a signature of this secret for these bytes, at most five minutes old.
    /// The body is as received, before it is parsed; now is in seconds since 1970. Throws as ReadKey does.
    /// </summary>
    public static bool IsSigned(string secret, string id, string timestamp, string signatures, byte[] body, long now)
    {
        var key = ReadKey(secret);
        long seconds;
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out seconds)) return false;
        if (seconds > now + ToleranceSeconds || seconds < now - ToleranceSeconds) return false;
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
