// Receives webhooks.
//
//     mcs Receive.cs WebhookSignature.cs && WEBHOOK_SECRET=whsec_... PORT=4000 mono Receive.exe
//
// With .NET 8 or later, copy both files into a project of `dotnet new console`; in ASP.NET call IsSigned with the bytes
// of the body. Put it behind a server that terminates TLS.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Text;

public static class Receive
{
    private const int BodyMax = 1000000;
    private static readonly string Secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");
    // In production: a table with a unique column, so that ids survive a restart.
    private static readonly HashSet<string> Seen = new HashSet<string>();

    public static int Main()
    {
        try
        {
            WebhookSignature.ReadKey(Secret);
        }
        catch (FormatException)
        {
            Console.Error.WriteLine("WEBHOOK_SECRET: expected whsec_ and at least 24 bytes in base64");
            return 1;
        }
        var listener = new HttpListener();
        listener.Prefixes.Add($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT")}/");
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            try
            {
                context.Response.StatusCode = Answer(context.Request);
                context.Response.Close();
            }
            catch (Exception error)
            {
                // Without this, a sender that hangs up would end the receiver.
                Console.Error.WriteLine(error.Message);
                context.Response.Abort();
            }
        }
    }

    private static int Answer(HttpListenerRequest request)
    {
        if (request.ContentLength64 < 0 || request.ContentLength64 > BodyMax) return 413;
        var copy = new MemoryStream();
        request.InputStream.CopyTo(copy);
        var body = copy.ToArray();
        var id = request.Headers["webhook-id"] ?? "";
        var timestamp = request.Headers["webhook-timestamp"] ?? "";
        var signatures = request.Headers["webhook-signature"] ?? "";
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!WebhookSignature.IsSigned(Secret, id, timestamp, signatures, body, now)) return 401;
        // An attempt that is repeated and a replay have the id of the first attempt.
        if (!Seen.Contains(id))
        {
            Handle(Encoding.UTF8.GetString(body));
            Seen.Add(id);
        }
        return 204;
    }

    // JsonDocument.Parse(json) reads the fields; GetDecimal reads `old` and `new` exactly. Compare `type` first: a type that
    // you do not know, also of a later version, needs nothing, and the answer is 204.
    private static void Handle(string json)
    {
        Console.WriteLine(json);
    }
}
