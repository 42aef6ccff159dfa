// Converts an amount in euro and checks a VAT number.
//
//     export URL=http://127.0.0.1:8080 KEY=vfx_...
//     java -cp "/usr/share/java/*" Call.java 19.90 USD GR 100
//
// Java 17 or later with Jackson 2 (Debian: libjackson2-databind-java).

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

public final class Call {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    // Without this setting rates become double.
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true));

    public static void main(String[] args) throws Exception {
        convert(args[0], args[1]);
        checkVat(args[2], args[3]);
    }

    private static void convert(String amount, String currency) throws Exception {
        HttpResponse<String> response = get("/fx");
        JsonNode fx = JSON.readTree(response.body());
        if (response.statusCode() != 200) {
            throw new IllegalStateException("/fx: " + response.statusCode() + " " + fx.get("error").asText());
        }
        BigDecimal rate = fx.get("rates").required(currency).decimalValue();
        // Round once, at the end.
        BigDecimal rounded = new BigDecimal(amount).multiply(rate).setScale(2, RoundingMode.HALF_UP);
        System.out.printf("%s EUR = %s %s on %s%n", amount, rounded.toPlainString(), currency, fx.get("date").asText());
    }

    private static void checkVat(String country, String number) throws Exception {
        String path = "/vatcheck/" + escape(country) + "/" + escape(number);
        HttpResponse<String> response = get(path);
        JsonNode body = JSON.readTree(response.body());
        switch (response.statusCode()) {
            // Store requestDate: it is the evidence of when you checked.
            case 200 -> System.out.printf("%s on %s%n",
                    body.get("valid").asBoolean() ? "registered" : "not registered", body.get("requestDate").asText());
            case 422 -> System.out.println("not a possible VAT number");
            // An outage is not an answer: decide by your own rules, and check again later.
            case 502, 503 -> System.out.printf("unknown: %s, check again after %s s%n",
                    body.get("error").asText(), response.headers().firstValue("retry-after").orElse("3600"));
            default -> throw new IllegalStateException(
                    path + ": " + response.statusCode() + " " + body.get("error").asText());
        }
    }

    private static HttpResponse<String> get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("URL") + path))
                .header("Authorization", "Bearer " + System.getenv("KEY"))
                .timeout(Duration.ofSeconds(12)) // A VAT check may take 10 seconds.
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String escape(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
