// Converts an amount in euro and checks a VAT number.
//
//     export URL=http://127.0.0.1:8080 KEY=vfx_...
//     dotnet run -- 19.90 USD GR 100
//
// .NET 8 or later, no packages: copy this file into a project of `dotnet new console`.
// The tests of vatfx do not run this file, because Debian has no .NET. They run WebhookSignature.cs and Receive.cs.
using System;
using System.Globalization;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Threading.Tasks;

public static class Call
{
    // A VAT check may take 10 seconds.
    private static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(12) };

    public static async Task Main(string[] args)
    {
        Http.BaseAddress = new Uri(Environment.GetEnvironmentVariable("URL"));
        Http.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("KEY"));
        await Convert(args[0], args[1]);
        await CheckVat(args[2], args[3]);
    }

    private static async Task Convert(string amount, string currency)
    {
        using var response = await Http.GetAsync("/fx");
        using var fx = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        if (!response.IsSuccessStatusCode)
        {
            throw new InvalidOperationException($"/fx: {(int)response.StatusCode} {Text(fx, "error")}");
        }
        // GetDecimal reads all digits; GetDouble would not.
        var rate = fx.RootElement.GetProperty("rates").GetProperty(currency).GetDecimal();
        // Round once, at the end.
        var exact = decimal.Parse(amount, CultureInfo.InvariantCulture) * rate;
        var rounded = Math.Round(exact, 2, MidpointRounding.AwayFromZero).ToString("0.00", CultureInfo.InvariantCulture);
        Console.WriteLine($"{amount} EUR = {rounded} {currency} on {Text(fx, "date")}");
    }

    private static async Task CheckVat(string country, string number)
    {
        var path = $"/vatcheck/{Uri.EscapeDataString(country)}/{Uri.EscapeDataString(number)}";
        using var response = await Http.GetAsync(path);
        using var body = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        switch ((int)response.StatusCode)
        {
            case 200:
                // Store requestDate: it is the evidence of when you checked.
                var valid = body.RootElement.GetProperty("valid").GetBoolean();
                Console.WriteLine($"{(valid ? "registered" : "not registered")} on {Text(body, "requestDate")}");
                break;
            case 422:
                Console.WriteLine("not a possible VAT number");
                break;
            case 502:
            case 503:
                // An outage is not an answer: decide by your own rules, and check again later.
                var seconds = response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 3600;
                Console.WriteLine($"unknown: {Text(body, "error")}, check again after {seconds} s");
                break;
            default:
                throw new InvalidOperationException($"{path}: {(int)response.StatusCode} {Text(body, "error")}");
        }
    }

    private static string Text(JsonDocument document, string field) =>
        document.RootElement.GetProperty(field).GetString();
}
