package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("slow")
class AppContractTest {

    @Test
    void theRoutesOfAWholeServerAreThoseOfTheDocumentAndAnswerHeadAsGet() {
        try (var server = TestServer.start("--grpc.enabled=false")) {
            assertThat(server.app().grpcAddress()).isEmpty();
            assertThat(ContractRoutes.registered(server.app().http())).isEqualTo(ContractRoutes.documented());
            // The style guide is for development.
            var port = URI.create(server.url()).getPort();
            var anonymous = ApiClient.anonymous(port);
            assertThat(anonymous.get("/style").status()).isEqualTo(404);
            for (var path : List.of("/", "/login", "/nowhere", "/api/v1/me", "/api/v1/stream", "/posts/x")) {
                var get = anonymous.with("Accept", "text/html").get(path);
                var head = anonymous.with("Accept", "text/html").send("HEAD", path, "");
                assertThat(head.status()).as(path).isEqualTo(get.status());
                for (var name : List.of("Content-Type", "Content-Length", "Location")) {
                    assertThat(head.header(name)).as(path + " " + name).isEqualTo(get.header(name));
                }
                assertThat(head.body()).as(path).isEmpty();
            }
        }
    }

    @Test
    void whateverIsNoIdOrNumberIsRefusedByItsName() {
        var taken = new ArrayList<String>();
        try (var square = new Square("--http.rate-limit.enabled=false")) {
            var document = ContractRoutes.document();
            for (var path : document.path("paths").properties()) {
                var ofPath = parameters(document, path.getValue());
                for (var operation : path.getValue().properties()) {
                    if (path.getKey().startsWith("/api/") && !operation.getKey().equals("parameters")) {
                        var all = Stream.concat(ofPath.stream(), parameters(document, operation.getValue()).stream())
                                .toList();
                        var method = operation.getKey().toUpperCase(Locale.ROOT);
                        all.stream()
                                .filter(each -> isHeld(path.getKey(), each))
                                .filter(each -> !refuses(square.admin.api(), method, path.getKey(), all, each))
                                .forEach(each -> taken.add(method + " " + path.getKey() + " " + each.path("name")));
                    }
                }
            }
        }
        assertThat(taken).isEmpty();
    }

    /** Whoever reads a number of a query knows its bounds, and may first look for what the path names. */
    private static boolean isHeld(String path, JsonNode parameter) {
        var in = parameter.path("in").asString();
        var isNumber = parameter.at("/schema/type").asString("").equals("integer");
        return example(parameter) != null
                && (in.equals("path") || (in.equals("query") && !(isNumber && path.contains("{"))));
    }

    private static boolean refuses(
            ApiClient api, String method, String path, List<JsonNode> parameters, JsonNode malformed) {
        var name = malformed.path("name").asString();
        var address = malformed.path("in").asString().equals("path")
                ? path.replace("{" + name + "}", "nonsense") + "?"
                : path + "?" + name + "=nonsense";
        for (var other : parameters) {
            var value =
                    Objects.toString(example(other), other.at("/schema/enum/0").asString("a"));
            var isQuery = other.path("in").asString().equals("query");
            if (!isQuery) {
                address = address.replace("{" + other.path("name").asString() + "}", value);
            } else if (!other.equals(malformed) && other.path("required").asBoolean(false)) {
                address += "&" + other.path("name").asString() + "=" + value;
            }
        }
        var refused = api.send(method, address, "{}");
        return refused.status() == 400
                && (method.equals("HEAD")
                        || refused.json().at("/errors/0/field").asString("").equals(name));
    }

    private static List<JsonNode> parameters(JsonNode document, JsonNode of) {
        return of.path("parameters")
                .valueStream()
                .map(each -> each.has("$ref")
                        ? document.at(each.path("$ref").asString().substring(1))
                        : each)
                .toList();
    }

    /** An id, a UUID or a number; null for a parameter that is any text. */
    private static @Nullable String example(JsonNode parameter) {
        var schema = parameter.path("schema");
        if (schema.path("$ref").asString("").endsWith("/Id")) {
            return "198C2E846EE00000";
        }
        if (schema.path("format").asString("").equals("uuid")) {
            return "0198c2e8-46ee-7000-8000-000000000000";
        }
        return schema.path("type").asString("").equals("integer") ? "1" : null;
    }

    @Test
    void aPortThatIsTakenEndsTheStartWithWhatToDo() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> TestServer.start("--grpc.port=" + taken.getLocalPort()))
                    .hasMessageContaining("choose another with --grpc.port");
        }
    }
}
