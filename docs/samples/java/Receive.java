// Receives webhooks.
//
//     javac -cp "/usr/share/java/*" Receive.java WebhookSignature.java
//     WEBHOOK_SECRET=whsec_... PORT=4000 java -cp ".:/usr/share/java/*" Receive
//
// Put it behind a server that terminates TLS. Java 17 or later with Jackson 2.

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.Set;

public final class Receive {
    private static final int BODY_MAX = 1_000_000;
    private static final String SECRET = System.getenv("WEBHOOK_SECRET");
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    // In production: a table with a unique column, so that ids survive a restart.
    private static final Set<String> SEEN = new HashSet<>();

    public static void main(String[] args) throws IOException {
        try {
            WebhookSignature.readKey(SECRET);
        } catch (IllegalArgumentException error) {
            System.err.println("WEBHOOK_SECRET: expected whsec_ and at least 24 bytes in base64");
            System.exit(1);
        }
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        // Without an executor of its own, the server handles one request after the other.
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(receive(exchange), -1);
            } catch (GeneralSecurityException error) {
                throw new IOException(error);
            }
        });
        server.start();
    }

    private static int receive(HttpExchange exchange) throws IOException, GeneralSecurityException {
        byte[] body = exchange.getRequestBody().readNBytes(BODY_MAX + 1);
        if (body.length > BODY_MAX) {
            return 413;
        }
        String id = header(exchange, "webhook-id");
        boolean isSigned = WebhookSignature.isSigned(
                SECRET, id, header(exchange, "webhook-timestamp"), header(exchange, "webhook-signature"),
                body, System.currentTimeMillis() / 1000);
        if (!isSigned) {
            return 401;
        }
        // An attempt that is repeated and a replay have the id of the first attempt.
        if (!SEEN.contains(id)) {
            handle(JSON.readTree(body));
            SEEN.add(id);
        }
        return 204;
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private static void handle(JsonNode event) {
        String type = event.get("type").asText();
        System.out.println(type);
        // A type that you do not know, also of a later version, needs nothing: the answer is 204.
        if (type.equals("rates.changed")) {
            for (JsonNode row : event.get("changes")) {
                System.out.printf("%s %s %s -> %s%n",
                        row.get("country").asText(), row.get("field").asText(), row.get("old"), row.get("new"));
            }
        }
    }
}
