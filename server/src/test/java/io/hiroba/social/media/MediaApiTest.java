package io.hiroba.social.media;

import static io.hiroba.social.media.picture.TestPictures.jpeg;
import static io.hiroba.social.media.picture.TestPictures.padded;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.social.media.picture.TestPictures;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Pictures over HTTP on a whole server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class MediaApiTest {

    private static final int MB = 1 << 20;
    private static final String BOUNDARY = "----hiroba";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final TestServer server = TestServer.start(
            "--http.rate-limit.enabled=false",
            "--accounts.limits.log-ins-per-minute=10000",
            "--accounts.limits.failures-per-account=10000");
    private final ApiClient anonymous =
            ApiClient.anonymous(URI.create(server.url()).getPort());
    private final String adminToken = token(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
    private final ApiClient admin = anonymous.token(adminToken);

    @AfterAll
    void stop() {
        server.close();
    }

    private String token(String email, String password) {
        return anonymous
                .post("/api/v1/tokens", "{'email':'%s','password':'%s','name':'tests'}".formatted(email, password))
                .text("token");
    }

    /** Somebody with an account. */
    private record Member(String id, String token, ApiClient api) {}

    private Member member() {
        var email = "member%d@example.org".formatted(COUNT.incrementAndGet());
        var made = admin.post(
                "/api/v1/users", "{'email':'%s','nickname':'Member','password':'correct horse'}".formatted(email));
        var token = token(email, "correct horse");
        return new Member(made.text("id"), token, anonymous.token(token));
    }

    /** What came back: its status and, of a problem, its code; and the rest. */
    private record Reply(HttpResponse<byte[]> response) {

        JsonNode json() {
            return Json.mapper().readTree(response.body());
        }

        String outcome() {
            int status = response.statusCode();
            return status < 400
                    ? Integer.toString(status)
                    : status + " " + json().path("code").asString("");
        }

        String text(String field) {
            return json().path(field).asString("");
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    private Reply send(String method, String path, String token, byte[] body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Authorization", "Bearer " + token);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Reply(CLIENT.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Reply upload(Member member, byte[] picture, String... headers) {
        var all = new ArrayList<>(List.of("Content-Type", "image/jpeg"));
        all.addAll(List.of(headers));
        return send("POST", "/api/v1/images", member.token(), picture, all.toArray(String[]::new));
    }

    private Reply uploadForm(Member member, String field, String fileName, byte[] picture) {
        var body = new ByteArrayOutputStream();
        body.writeBytes(
                "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\nContent-Type: image/png\r\n\r\n"
                        .formatted(BOUNDARY, field, fileName)
                        .getBytes(UTF_8));
        body.writeBytes(picture);
        body.writeBytes("\r\n--%s--\r\n".formatted(BOUNDARY).getBytes(UTF_8));
        return send(
                "POST",
                "/api/v1/images",
                member.token(),
                body.toByteArray(),
                "Content-Type",
                "multipart/form-data; boundary=" + BOUNDARY);
    }

    private Reply get(Member member, String path, String... headers) {
        return send("GET", path, member.token(), new byte[0], headers);
    }

    @Test
    void anUploadedImageIsShownToOthersWithHeadersThatLetItDoNothingElse() {
        var member = member();
        var made = upload(member, jpeg(600, 300));
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo(made.text("path"));
        assertThat(made.json().path("width").asInt()).isEqualTo(600);
        var other = member();
        for (var path : List.of(
                made.text("path"),
                made.json().path("thumbnails").path("medium").asString(),
                made.json().path("thumbnails").path("small").asString())) {
            var shown = get(other, path);
            assertThat(shown.outcome()).as(path).isEqualTo("200");
            assertThat(shown.header("Content-Type")).isEqualTo("image/jpeg");
            assertThat(shown.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(shown.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
            assertThat(shown.header("Content-Disposition")).isEqualTo("inline");
            assertThat(shown.header("Cache-Control")).isEqualTo("private, max-age=31536000, immutable");
            assertThat(shown.header("Content-Length"))
                    .isEqualTo(Integer.toString(shown.response().body().length));
            var head = send("HEAD", path, other.token(), new byte[0]);
            assertThat(List.of(head.outcome(), head.header("Content-Length"), head.header("ETag")))
                    .isEqualTo(List.of("200", shown.header("Content-Length"), shown.header("ETag")));
            assertThat(head.response().body()).isEmpty();
            var again = get(other, path, "If-None-Match", shown.header("ETag"));
            assertThat(again.outcome()).isEqualTo("304");
            assertThat(again.response().body()).isEmpty();
        }
        var small = get(other, made.json().path("thumbnails").path("small").asString());
        assertThat(TestPictures.pixels(small.response().body()).getWidth()).isEqualTo(128);
        assertThat(anonymous.get(made.text("path")).status()).isEqualTo(401);
    }

    @Test
    void aFormIsTakenTooAndTheContentDecidesWhatItIs() {
        var member = member();
        assertThat(uploadForm(member, "file", "a.png", TestPictures.transparentPng(20, 20))
                        .text("path"))
                .endsWith(".png");
        assertThat(uploadForm(member, "file", "../../evil.html", jpeg(20, 20)).text("path"))
                .matches("/media/[0-9A-F]{16}/[0-9A-F]{16}\\.jpg");
        assertThat(uploadForm(member, "file", "a.png", "<script>alert(1)</script>".getBytes(UTF_8))
                        .outcome())
                .isEqualTo("400 media.not-an-image");
        assertThat(uploadForm(member, "picture", "a.png", jpeg(20, 20)).outcome())
                .isEqualTo("400 media.no-file");
        assertThat(uploadForm(member, "file", "", new byte[0]).outcome()).isEqualTo("400 media.no-file");
        assertThat(upload(member, TestPictures.pngBomb(60_000, 60_000)).outcome())
                .isEqualTo("400 media.too-many-pixels");
        assertThat(upload(member, new byte[0]).outcome()).isEqualTo("400 media.no-file");
        assertThat(send("POST", "/api/v1/images", member.token(), jpeg(9, 9), "Content-Type", "text/plain")
                        .outcome())
                .isEqualTo("400 media.no-file");
        assertThat(anonymous.post("/api/v1/images", "{}").status()).isEqualTo(401);
    }

    @Test
    void anImageMayHaveTenMegabytesAndNotAByteMore() {
        var member = member();
        assertThat(upload(member, padded(jpeg(20, 20), 10 * MB)).outcome()).isEqualTo("201");
        assertThat(upload(member, padded(jpeg(20, 20), 10 * MB + 1)).outcome()).isEqualTo("413 media.too-large");
        assertThat(uploadForm(member, "file", "a.jpg", padded(jpeg(20, 20), 10 * MB))
                        .outcome())
                .isEqualTo("201");
        assertThat(uploadForm(member, "file", "a.jpg", padded(jpeg(20, 20), 10 * MB + 1))
                        .outcome())
                .isEqualTo("413 media.too-large");
        var month = member.api().get("/api/v1/images").json().path("month");
        assertThat(month.path("usedBytes").asLong()).isEqualTo(20L * MB);
        assertThat(month.path("limitBytes").asLong()).isEqualTo(100L * MB);
    }

    @Test
    void aRepeatedUploadWithOneKeyIsOneImage() {
        var member = member();
        var picture = jpeg(20, 20);
        var first = upload(member, picture, "Idempotency-Key", "k1");
        var again = upload(member, picture, "Idempotency-Key", "k1");
        assertThat(again.text("id")).isEqualTo(first.text("id"));
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(upload(member, jpeg(21, 20), "Idempotency-Key", "k1").outcome())
                .isEqualTo("422 http.idempotency-mismatch");
        assertThat(member.api().get("/api/v1/images").json().path("items").size())
                .isEqualTo(1);
    }

    @Test
    void whoUploadsTooOftenIsRefusedBeforeTheFileIsTaken() {
        var member = member();
        var picture = jpeg(20, 20);
        var made = upload(member, picture, "Idempotency-Key", "k2");
        for (int i = 1; i < 100; i++) {
            assertThat(send("POST", "/api/v1/images", member.token(), picture, "Content-Type", "text/plain")
                            .outcome())
                    .isEqualTo("400 media.no-file");
        }
        var refused = send("POST", "/api/v1/images", member.token(), picture, "Content-Type", "text/plain");
        assertThat(refused.outcome()).isEqualTo("429 http.rate-limited");
        assertThat(upload(member, padded(picture, 10 * MB)).outcome()).isEqualTo("429 http.rate-limited");
        var avatar = "/api/v1/users/" + member.id() + "/avatar";
        assertThat(send("PUT", avatar, member.token(), picture, "Content-Type", "text/plain")
                        .outcome())
                .isEqualTo("429 http.rate-limited");
        assertThat(upload(member, picture, "Idempotency-Key", "k2").text("id"))
                .as("a repeat is no upload")
                .isEqualTo(made.text("id"));
        for (int i = 1; i < 100; i++) {
            repeat(member, "400 media.no-file");
        }
        repeat(member, "429 http.rate-limited");
    }

    private void repeat(Member member, String outcome) {
        var key = new String[] {"Content-Type", "text/plain", "Idempotency-Key", "k2"};
        assertThat(send("POST", "/api/v1/images", member.token(), jpeg(21, 20), key)
                        .outcome())
                .isEqualTo(outcome);
    }

    @Test
    void nothingIsLeftOfAnUploadInTheFolderWhereItWaited() {
        var member = member();
        assertThat(uploadForm(member, "file", "a.jpg", jpeg(600, 400)).outcome())
                .isEqualTo("201");
        assertThat(uploadForm(member, "file", "a.jpg", new byte[1000]).outcome())
                .isEqualTo("400 media.not-an-image");
        await().untilAsserted(() -> assertThat(server.data().resolve("uploads")).isEmptyDirectory());
    }

    @Test
    void imagesAreListedInPagesAndDeletedByTheirOwner() {
        var member = member();
        var ids = List.of(
                upload(member, jpeg(20, 20)).text("id"),
                upload(member, jpeg(20, 20)).text("id"),
                upload(member, jpeg(20, 20)).text("id"));
        var first = member.api().get("/api/v1/images?limit=2").json();
        assertThat(first.path("items").valueStream().map(item -> item.path("id").asString()))
                .containsExactly(ids.get(2), ids.get(1));
        var second = member.api()
                .get("/api/v1/images?limit=2&after=" + first.path("next").asString())
                .json();
        assertThat(second.path("items").get(0).path("id").asString()).isEqualTo(ids.getFirst());
        assertThat(second.path("next").isNull()).isTrue();

        var path = "/api/v1/images/" + ids.getFirst();
        var shownAt = second.path("items").get(0).path("path").asString();
        assertThat(member().api().delete(path).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(anonymous.delete(path).status()).isEqualTo(401);
        assertThat(member.api().delete(path).outcome()).isEqualTo("204");
        assertThat(member.api().delete(path).outcome()).isEqualTo("404 media.not-found");
        assertThat(get(member, shownAt).outcome()).isEqualTo("404 media.not-found");
        assertThat(admin.delete("/api/v1/images/" + ids.get(1)).outcome()).isEqualTo("204");
    }

    @Test
    void noNameLeadsOutOfTheFolder() throws IOException {
        var member = member();
        var path = upload(member, jpeg(20, 20)).text("path");
        Files.writeString(server.data().resolve("secret.txt"), "hidden words");
        Files.writeString(server.data().resolve("media/secret.txt"), "hidden words");
        Files.writeString(server.data().resolve("media/incoming/part"), "hidden words");
        var name = path.substring(path.lastIndexOf('/') + 1);
        for (var hostile : List.of(
                "/media/../secret.txt",
                "/media/%2e%2e/secret.txt",
                "/media/" + member.id() + "/..%2f..%2fsecret.txt",
                "/media/" + member.id() + "/..%5csecret.txt",
                "/media/incoming/part",
                "/media/" + member.id() + "/" + name.replace(".jpg", ".256.jpg"),
                "/media/" + member.id() + "/" + name.replace(".jpg", ".png"),
                "/media/" + member.id().toLowerCase(Locale.ROOT) + "/" + name.toLowerCase(Locale.ROOT) + ".",
                "/media/0000000000000001/" + name,
                "/media/" + member.id() + "/")) {
            var reply = get(member, hostile);
            assertThat(reply.response().statusCode()).as(hostile).isIn(400, 404);
            assertThat(new String(reply.response().body(), UTF_8)).as(hostile).doesNotContain("hidden words");
        }
    }

    @Test
    void anAvatarIsSetShownAndRemoved() {
        var member = member();
        var path = "/api/v1/users/" + member.id() + "/avatar";
        var set = send("PUT", path, member.token(), jpeg(400, 300), "Content-Type", "image/png");
        assertThat(set.outcome()).isEqualTo("200");
        assertThat(set.json().path("width").asInt()).isEqualTo(300);
        assertThat(member.api().get("/api/v1/me").text("avatar")).isEqualTo(set.text("path"));
        assertThat(send("PUT", path, member.token(), padded(jpeg(20, 20), MB), "Content-Type", "image/png")
                        .outcome())
                .isEqualTo("200");
        assertThat(send("PUT", path, member.token(), padded(jpeg(20, 20), MB + 1), "Content-Type", "image/png")
                        .outcome())
                .isEqualTo("413 media.too-large");
        assertThat(send("PUT", path, member().token(), jpeg(20, 20), "Content-Type", "image/png")
                        .outcome())
                .isEqualTo("403 accounts.not-yours");
        assertThat(send("PUT", path, adminToken, jpeg(20, 20), "Content-Type", "image/png")
                        .outcome())
                .isEqualTo("200");
        assertThat(member().api().delete(path).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(member.api().delete(path).outcome()).isEqualTo("204");
        assertThat(member.api().get("/api/v1/me").json().path("avatar").isNull())
                .isTrue();
        assertThat(member.api().get("/api/v1/images").json().path("items").size())
                .isZero();
    }

    @Test
    void aProfileNamesOnlyPicturesOfItsOwn() {
        var member = member();
        var own = upload(member, jpeg(20, 20)).text("path");
        var others = upload(member(), jpeg(20, 20)).text("path");
        assertThat(putAvatar(member, own)).isEqualTo("200");
        assertThat(putAvatar(member, own)).isEqualTo("200");
        for (var refused :
                List.of(others, "https://evil.example/a.png", "//evil", own + "?x", own.replace(".jpg", ".svg"), "")) {
            assertThat(putAvatar(member, refused)).as(refused).isEqualTo("400 accounts.invalid");
        }
        assertThat(member.api().get("/api/v1/me").text("avatar")).isEqualTo(own);
        var id = own.substring(own.lastIndexOf('/') + 1).replace(".jpg", "");
        assertThat(member.api().delete("/api/v1/images/" + id).outcome()).isEqualTo("204");
        assertThat(member.api().get("/api/v1/me").json().path("avatar").isNull())
                .isTrue();
    }

    private static String putAvatar(Member member, String avatar) {
        return member.api()
                .put(
                        "/api/v1/users/" + member.id(),
                        "{'nickname':'x','introduction':'','avatar':'%s'}".formatted(avatar))
                .outcome();
    }
}
