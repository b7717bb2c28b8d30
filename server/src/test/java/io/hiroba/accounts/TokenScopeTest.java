package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.hiroba.contract.saga.v1.CancelSagaRequest;
import io.hiroba.contract.saga.v1.ListSagasRequest;
import io.hiroba.contract.saga.v1.SagaServiceGrpc;
import io.hiroba.platform.http.ContractRoutes;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.OperationScopes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TokenScopeTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    private static ApiClient limited(Person person, String... scopes) {
        var body = Map.of(
                "email", person.email(), "password", person.password(), "name", "limited", "scopes", List.of(scopes));
        var reply = square.anonymous().post("/api/v1/tokens", Json.text(body));
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return square.anonymous().token(reply.text("token"));
    }

    private static Map<String, String> descriptions() {
        var descriptions = new LinkedHashMap<String, String>();
        Arrays.stream(TokenScope.values())
                .forEach(scope ->
                        descriptions.put(scope.code(), scope.description().in(Language.ENGLISH)));
        return descriptions;
    }

    @Test
    void everyOperationTakesOneScopeOrIsOpenToEverybody() {
        var wrong = new TreeSet<String>();
        var used = new TreeSet<String>();
        for (var path : ContractRoutes.document().path("paths").properties()) {
            for (var entry : path.getValue().properties()) {
                var security = entry.getValue().path("security");
                if (entry.getKey().equals("parameters") || (security.isArray() && security.isEmpty())) {
                    continue;
                }
                var scopes = security.path(0).path("bearer");
                var isOne = scopes.size() == 1
                        && Arrays.stream(TokenScope.values())
                                .anyMatch(scope ->
                                        scope.code().equals(scopes.path(0).asString("")))
                        && security.path(1).path("oauth").equals(scopes)
                        && security.path(2).has("session");
                if (isOne) {
                    used.add(scopes.path(0).asString());
                } else if (!Set.of("/metrics", "/mcp", "/api/v1/search", "/api/v1/events")
                        .contains(path.getKey())) {
                    wrong.add(entry.getKey() + " " + path.getKey());
                }
            }
        }
        assertThat(wrong)
                .as("operations without a scope: a token with scopes cannot use them")
                .isEmpty();
        assertThat(used)
                .as("scopes that open something")
                .isEqualTo(new TreeSet<>(descriptions().keySet()));
    }

    @Test
    void everyMethodOfGrpcTakesTheScopeOfTheOperationOfItsName() {
        assertThat(SagaServiceGrpc.getServiceDescriptor().getMethods())
                .isNotEmpty()
                .allSatisfy(method -> {
                    var name = String.valueOf(method.getBareMethodName());
                    assertThat(OperationScopes.named(
                                    name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1)))
                            .as(name)
                            .hasValueSatisfying(scope -> assertThat(scope).matches("(sagas|admin):.*"));
                });
    }

    @Test
    void theDocumentAndTheReferenceListTheScopesAsTheyAre() throws IOException {
        var documented = new LinkedHashMap<String, String>();
        ContractRoutes.document()
                .at("/components/securitySchemes/oauth/flows/authorizationCode/scopes")
                .properties()
                .forEach(
                        scope -> documented.put(scope.getKey(), scope.getValue().asString()));
        assertThat(documented).containsExactlyEntriesOf(descriptions());

        var reference = new LinkedHashMap<String, String>();
        for (var line : Files.readAllLines(Path.of("../docs/reference/scopes.md"))) {
            if (line.startsWith("| `")) {
                var cells = line.split("\\s*[|]\\s*");
                reference.put(cells[1].replace("`", ""), cells[2]);
            }
        }
        assertThat(reference).containsExactlyEntriesOf(descriptions());
    }

    @Test
    void aTokenOpensWhatItsScopesSayAndNothingElse() {
        var ann = square.person("ann");
        var post = ann.post("hello");
        var reader = limited(ann, "posts:read");
        assertThat(reader.get("/api/v1/posts/" + post).status()).isEqualTo(200);
        assertThat(reader.send("HEAD", "/api/v1/posts/" + post, "").status()).isEqualTo(200);
        var refused = reader.delete("/api/v1/posts/" + post);
        assertThat(refused.outcome()).isEqualTo("403 accounts.scope-required");
        assertThat(refused.text("detail")).contains("posts:write");
        assertThat(refused.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", scope=\"posts:write\"");
        assertThat(reader.get("/api/v1/me").outcome()).isEqualTo("403 accounts.scope-required");
        assertThat(reader.get("/api/v1/nothing").status()).isEqualTo(404);
        assertThat(reader.get("/healthz").status()).isEqualTo(200);
        assertThat(reader.get("/settings/tokens").outcome()).as("a page").isEqualTo("401 accounts.not-signed-in");
        assertThat(reader.post("/settings/profile", "").outcome()).as("a page").isEqualTo("401 accounts.not-signed-in");
        assertThat(reader.post("/api/v1/signup/start", "{}").status())
                .as("open to everybody")
                .isEqualTo(400);
        assertThat(ann.api().delete("/api/v1/posts/" + post).status())
                .as("all scopes")
                .isEqualTo(204);
    }

    @Test
    void whatATokenOpensIsShownAndUnknownScopesAreRefused() {
        var bob = square.person("bob");
        var own = limited(bob, "account:read", "records:read:198c2e846ee00000");
        var listed = own.get("/api/v1/tokens").json().path("items");
        assertThat(listed.get(0).path("scopes").toString())
                .isEqualTo("[\"account:read\",\"records:read:198C2E846EE00000\"]");
        assertThat(listed.get(1).path("scopes").isNull()).isTrue();
        for (var scopes : List.of("['posts:rite']", "['posts:read:198C2E846EE00000']", "['records:read:shop']", "[]")) {
            assertThat(square.anonymous()
                            .post(
                                    "/api/v1/tokens",
                                    "{'email':'%s','password':'%s','name':'x','scopes':%s}"
                                            .formatted(bob.email(), bob.password(), scopes))
                            .outcome())
                    .as(scopes)
                    .isEqualTo("400 accounts.invalid");
        }
    }

    @Test
    void theRightsOfAnAdminGoWithTheScopesOfAdmins() {
        var ann = square.person("ann");
        var post = ann.post("hello");
        var writer = limited(square.admin, "posts:write", "admin:read");
        assertThat(writer.delete("/api/v1/posts/" + post).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(writer.get("/api/v1/audit").status()).isEqualTo(200);
        assertThat(limited(ann, "admin:read").get("/api/v1/audit").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(limited(square.admin, "posts:write", "admin:write")
                        .delete("/api/v1/posts/" + post)
                        .status())
                .isEqualTo(204);
    }

    @Test
    void scopesOfRecordsMayBeThoseOfOneProject() {
        var ann = square.person("ann");
        var shop = ann.api().post("/api/v1/projects", "{'name':'shop'}").text("id");
        var other = ann.api().post("/api/v1/projects", "{'name':'other'}").text("id");
        var token = limited(ann, "records:read:" + shop);
        assertThat(token.get("/api/v1/projects/" + shop).status()).isEqualTo(200);
        assertThat(token.get("/api/v1/projects/" + shop.toLowerCase(java.util.Locale.ROOT) + "/schemas")
                        .status())
                .isEqualTo(200);
        assertThat(token.get("/api/v1/projects/" + other).outcome()).isEqualTo("403 accounts.scope-required");
        assertThat(token.get("/api/v1/projects").outcome()).isEqualTo("403 accounts.scope-required");
        assertThat(token.delete("/api/v1/projects/" + shop).outcome()).isEqualTo("403 accounts.scope-required");
    }

    @Test
    void aStreamTellsOfWhatTheTokenMayRead() {
        var ann = square.person("ann");
        var token = limited(ann, "notifications:read");
        assertThat(token.get("/api/v1/stream?posts=home").outcome()).isEqualTo("403 accounts.scope-required");
        try (var stream = token.stream("/api/v1/stream")) {
            stream.await("count");
            square.person("bob").like(ann.post("hello"));
            stream.await("card");
            assertThat(stream.messages("inbox")).isEmpty();
        }
    }

    @Test
    void callsOfGrpcTakeScopesToo() {
        var address = square.server.app().grpcAddress().orElseThrow();
        var token = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email':'%s','password':'%s','name':'x','scopes':['sagas:read','admin:read']}"
                                .formatted(square.admin.email(), square.admin.password()))
                .text("token");
        var headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        var channel = Grpc.newChannelBuilderForAddress(
                        address.getHost(), address.getPort(), InsecureChannelCredentials.create())
                .build();
        try {
            var sagas = SagaServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
            sagas.listSagas(ListSagasRequest.getDefaultInstance());
            assertThatThrownBy(() -> sagas.cancelSaga(CancelSagaRequest.getDefaultInstance()))
                    .hasMessageContaining("PERMISSION_DENIED")
                    .hasMessageContaining("sagas:manage");
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aStreamEndsWhenItsTokenExpires() {
        var ann = square.person("ann");
        var token = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email':'%s','password':'%s','name':'x','expiresAt':'%s'}"
                                .formatted(
                                        ann.email(),
                                        ann.password(),
                                        Instant.now().plusSeconds(3)));
        try (var stream = square.anonymous().token(token.text("token")).stream("/api/v1/stream");
                var other = ann.api().stream("/api/v1/stream")) {
            stream.await("count");
            await().atMost(Duration.ofSeconds(8)).until(stream::isEnded);
            assertThat(other.isEnded()).isFalse();
        }
        assertThat(square.anonymous()
                        .token(token.text("token"))
                        .get("/api/v1/me")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aStreamEndsWhenItsSessionRunsOutUnlessThatWasPutOff() {
        var ann = square.person("ann");
        var first = session(ann);
        var second = session(ann);
        expire(first, 3);
        expire(second, 3);
        try (var stream = square.anonymous().cookie(first.cookie()).stream("/api/v1/stream");
                var other = square.anonymous().cookie(second.cookie()).stream("/api/v1/stream")) {
            stream.await("count");
            other.await("count");
            expire(second, 3600);
            await().atMost(Duration.ofSeconds(8)).until(stream::isEnded);
            assertThat(other.isEnded()).isFalse();
        }
    }

    private static ApiClient.Reply session(Square.Person person) {
        return square.anonymous()
                .post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(person.email(), person.password()));
    }

    private static void expire(ApiClient.Reply session, int seconds) {
        square.server
                .database()
                .db()
                .useTransaction(tx -> tx.update(
                                "UPDATE accounts.sessions SET expires_at = now() + :seconds * interval '1 s' WHERE id = :id")
                        .bind("seconds", seconds)
                        .bind("id", SessionId.parse(session.text("id")).value())
                        .execute());
    }

    @Test
    void anAdminSeesAndRevokesAnybodysTokensAndTheirStreamsEnd() {
        var ann = square.person("ann");
        var path = "/api/v1/users/" + ann.id() + "/tokens";
        var listed = square.admin.api().get(path).json().path("items");
        assertThat(listed.size()).isEqualTo(1);
        assertThat(listed.get(0).path("name").asString()).isEqualTo("test");
        var one = path + "/" + listed.get(0).path("id").asString();
        var bob = square.person("bob").api();
        assertThat(bob.get(path).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(bob.delete(one).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(square.admin
                        .api()
                        .send(
                                "DELETE",
                                path + "/198C2E846EE00000",
                                Json.text(Map.of("password", square.admin.password())))
                        .outcome())
                .isEqualTo("404 accounts.token-not-found");
        try (var stream = ann.api().stream("/api/v1/stream")) {
            stream.await("count");
            assertThat(square.admin.api().delete(one).outcome()).isEqualTo("204");
            await().atMost(Duration.ofSeconds(5)).until(stream::isEnded);
        }
        assertThat(ann.api().get("/api/v1/me").status()).isEqualTo(401);
        assertThat(square.admin.api().get("/api/v1/audit").body()).contains("token-revoked", ann.id());
    }
}
