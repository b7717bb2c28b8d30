package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.BackupLock;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestSources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class SourceRoutesTest {

    private static final String PATH = "/api/v1/knowledge/sources";

    private final TestSources test = new TestSources();
    private final TestAccounts accounts = test.knowledge.accounts;
    private final HttpServer server = serve();
    private final ApiClient ann = client("Ann");
    private final ApiClient bob = client("Bob");

    private HttpServer serve() {
        var authentication = new Authentication(accounts.sessions, accounts.tokens);
        var routes = new SourceRoutes(
                test.sources,
                TestSources.CONFIG,
                new Idempotency(accounts.db, accounts.clock),
                new Cursors(new SecretStore(accounts.db)));
        return HttpServer.builder(
                        HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)), accounts.db)
                .identity(authentication)
                .routes(authentication, routes)
                .build()
                .start();
    }

    private ApiClient client(String nickname) {
        return client(test.knowledge.person(nickname));
    }

    private ApiClient client(Caller caller) {
        var session = accounts.sessions.begin(TestAccounts.client(), caller.user());
        return ApiClient.anonymous(server.port()).cookie(session.secret());
    }

    @AfterAll
    void end() {
        server.close();
        test.close();
    }

    private static Reply upload(
            ApiClient client, String method, String path, String name, String content, String more) {
        var body = """
                --x\r
                Content-Disposition: form-data; name="file"; filename="%s"\r
                Content-Type: application/octet-stream\r
                \r
                %s\r
                %s--x--\r
                """.formatted(name, content, more).replace("\r\n\n", "\r\n");
        return client.sendAs("multipart/form-data; boundary=x", method, path, body);
    }

    private static String field(String name, String value) {
        return "--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(name, value);
    }

    @Test
    void aTextIsAddedListedReadChangedAndDeleted() {
        var added = ann.post(
                PATH, "{'text': '# Cats\\n\\nThey purr.', 'visibility': 'private', 'metadata': {'a': [1, null]}}");
        assertThat(added.status()).isEqualTo(201);
        var path = added.header("Location");
        assertThat(path).isEqualTo(PATH + "/" + added.text("id"));
        assertThat(added.text("title")).isEqualTo("Cats");
        assertThat(added.text("type")).isEqualTo("note");
        assertThat(added.text("visibility")).isEqualTo("private");
        assertThat(added.text("status")).isEqualTo("pending");
        assertThat(added.json().path("progress").toString())
                .isEqualTo("{\"chunks\":1,\"embedded\":0,\"waiting\":1,\"dead\":0}");
        assertThat(ann.post(PATH, "{'text': '# Cats\\n\\nThey purr.', 'visibility': 'private'}")
                        .status())
                .isEqualTo(200);
        assertThat(ann.get(path).text("id")).isEqualTo(added.text("id"));
        assertThat(ann.get(PATH + "?mine=true&type=note&limit=100").body()).contains(added.text("id"));
        assertThat(ann.get(path + "/chunks")
                        .json()
                        .path("items")
                        .path(0)
                        .path("content")
                        .asString())
                .isEqualTo("Cats\n\nThey purr.");
        var plain = ann.post(PATH, "{'text': 'No heading at all.', 'visibility': 'private'}")
                        .header("Location") + "/chunks";
        assertThat(ann.get(plain).json().at("/items/0/label").asString()).isEqualTo("Paragraph 1");
        assertThat(ann.with("Accept-Language", "ja")
                        .get(plain)
                        .json()
                        .at("/items/0/label")
                        .asString())
                .isEqualTo("段落1");
        var replaced = ann.put(path, "{'text': '# Dogs\\n\\nThey bark.', 'title': 'Animals'}");
        assertThat(replaced.text("title")).isEqualTo("Animals");
        assertThat(ann.send("PATCH", path, "{'visibility': 'public'}").text("visibility"))
                .isEqualTo("public");
        assertThat(bob.get(path).text("title")).isEqualTo("Animals");
        assertThat(bob.delete(path).outcome()).isEqualTo("403 knowledge.not-yours");
        assertThat(ann.post(path + "/refresh", "").outcome()).isEqualTo("409 knowledge.no-address");
        assertThat(ann.delete(path).status()).isEqualTo(204);
        assertThat(ann.get(path).outcome()).isEqualTo("404 knowledge.no-source");
    }

    @Test
    void aFileIsUploadedAndReplaced() {
        var added = upload(ann, "POST", PATH, "C:\\\\docs\\\\a.csv", "name,age\nTama,3", field("visibility", "public"));
        assertThat(added.outcome()).isEqualTo("201");
        assertThat(added.text("title")).isEqualTo("a.csv");
        assertThat(added.json().path("metadata").path("mime_type").asString()).isEqualTo("text/csv");
        var path = added.header("Location");
        var replaced = upload(ann, "PUT", path, "b.csv", "name,age\nTama,4", field("title", "Cats"));
        assertThat(replaced.outcome()).isEqualTo("200");
        assertThat(replaced.text("title")).isEqualTo("Cats");
        assertThat(upload(bob, "PUT", path, "b.csv", "name,age\nTama,5", "").outcome())
                .isEqualTo("403 knowledge.not-yours");
        assertThat(upload(ann, "POST", PATH, "a.bin", "\0\0\0", field("visibility", "private"))
                        .outcome())
                .isEqualTo("415 knowledge.unsupported");
        assertThat(upload(ann, "POST", PATH, "a.txt", "x", "").outcome()).isEqualTo("400 knowledge.invalid");
        var unknown = field("visibility", "private") + field("charset", "klingon");
        assertThat(upload(ann, "POST", PATH, "a.txt", "x", unknown).outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(upload(ann, "POST", PATH, "a.txt", "x".repeat(1_100_000), field("visibility", "private"))
                        .outcome())
                .isEqualTo("413 knowledge.too-large");
    }

    @Test
    void theFileOfASourceIsKeptForItsReaders() {
        var added = upload(ann, "POST", PATH, "日記 1.html", "<p>Kept as it is", field("visibility", "private"));
        var path = added.header("Location") + "/original";
        var original = ann.get(path);
        assertThat(original.body()).isEqualTo("<p>Kept as it is");
        assertThat(original.header("Content-Type")).startsWith("text/html");
        assertThat(original.header("Content-Disposition"))
                .isEqualTo("attachment; filename*=UTF-8''%E6%97%A5%E8%A8%98%201.html");
        assertThat(original.header("Content-Security-Policy")).contains("sandbox");
        assertThat(original.header("X-Content-Type-Options")).isEqualTo("nosniff");
        // Only what browsers show without running it is shown.
        assertThat(ann.get(path + "?inline=true").header("Content-Disposition")).startsWith("attachment");
        assertThat(bob.get(path).outcome()).isEqualTo("404 knowledge.no-source");
        ann.send("PATCH", added.header("Location"), "{'visibility': 'public'}");
        assertThat(bob.get(path).body()).isEqualTo("<p>Kept as it is");
        var note = ann.post(PATH, "{'text': 'No file at all', 'visibility': 'private'}");
        assertThat(ann.get(note.header("Location") + "/original").outcome()).isEqualTo("404 knowledge.no-original");
    }

    @Test
    void aFileGoesWithTheLastSourceThatHasIt() {
        var text = "Two people have this file.";
        var first = upload(ann, "POST", PATH, "a.txt", text, field("visibility", "private"))
                .header("Location");
        var second = upload(bob, "POST", PATH, "b.txt", text, field("visibility", "private"))
                .header("Location");
        assertThat(kept(text)).isEqualTo(1);
        ann.delete(first);
        sweepLater();
        assertThat(kept(text)).isEqualTo(1);
        assertThat(bob.get(second + "/original").body()).isEqualTo(text);
        upload(bob, "PUT", second, "b.txt", "Another file.", "");
        assertThat(bob.get(second + "/original").body()).isEqualTo("Another file.");
        test.sources.originals().sweep();
        assertThat(kept(text)).isZero();
        assertThat(bob.get(second + "/original").body()).isEqualTo("Another file.");
        assertThat(accounts.count("SELECT count(*) FROM knowledge.original_deletions"))
                .isZero();
    }

    private long kept(String text) {
        return test.files.values().stream()
                .filter(file -> new String(file, StandardCharsets.UTF_8).equals(text))
                .count();
    }

    /** When no upload can be under way any more. */
    private void sweepLater() {
        accounts.clock.advance(Duration.ofMinutes(61));
        test.sources.originals().sweep();
    }

    @Test
    void anUploadThatDiedLeavesNoFile() {
        var content = "Nobody wrote its source.".getBytes(StandardCharsets.UTF_8);
        var id = test.sources.originals().keep(new UserId(1), content).orElseThrow();
        test.sources.originals().sweep();
        assertThat(test.files).containsKey(id.toString());
        sweepLater();
        assertThat(test.files).doesNotContainKey(id.toString());
        // What comes again while the old one goes is another file.
        assertThat(test.sources.originals().keep(new UserId(1), content).orElseThrow())
                .isNotEqualTo(id);
    }

    @Test
    void filesStayWhileABackupCopiesThem() {
        var content = "A backup is under way.".getBytes(StandardCharsets.UTF_8);
        var id = test.sources.originals().keep(new UserId(1), content).orElseThrow();
        accounts.db.useTransaction(tx -> {
            tx.query("SELECT pg_advisory_xact_lock(" + BackupLock.KEY + ") IS NULL")
                    .mapTo(Boolean.class)
                    .one();
            sweepLater();
            assertThat(test.files).containsKey(id.toString());
        });
        sweepLater();
        assertThat(test.files).doesNotContainKey(id.toString());
    }

    @Test
    void aSweepOnAnotherNodeLeavesWhatASourceIsJustBeingGiven() {
        var note = ann.post(PATH, "{'text': 'Gets a file late', 'visibility': 'private'}");
        var source = SourceId.parse(note.text("id"));
        var content = "Late.".getBytes(StandardCharsets.UTF_8);
        var id = test.sources.originals().keep(new UserId(1), content).orElseThrow();
        accounts.db.useTransaction(tx -> {
            test.sources.originals().attach(tx, source, id);
            CompletableFuture.runAsync(this::sweepLater).join();
        });
        sweepLater();
        assertThat(test.files).containsKey(id.toString());
        assertThat(ann.get(note.header("Location") + "/original").body()).isEqualTo("Late.");
    }

    @Test
    void theFilesOfAUserMayTakeSoMuch() {
        var cem = client("Cem");
        var first = upload(cem, "POST", PATH, "a.txt", "a few words ".repeat(1000), field("visibility", "private"));
        assertThat(first.outcome()).isEqualTo("201");
        var more = "some words ".repeat(1000);
        assertThat(upload(cem, "POST", PATH, "a.txt", more, field("visibility", "private"))
                        .outcome())
                .isEqualTo("403 knowledge.originals-quota");
        cem.delete(first.header("Location"));
        assertThat(upload(cem, "POST", PATH, "a.txt", more, field("visibility", "private"))
                        .outcome())
                .isEqualTo("201");
    }

    @Test
    void aTextMayBeLargerThanOtherRequests() {
        var text = "Some words of a long text. ".repeat(38_000);
        assertThat(text.length()).isBetween(1_000_000, 1 << 20);
        assertThat(ann.post(PATH, "{'text': '%s', 'visibility': 'private'}".formatted(text))
                        .outcome())
                .isEqualTo("201");
    }

    @Test
    void aPageIsFetchedOnceForEachKey() {
        test.web.put("https://example.org/", "<title>Home</title><p>Words");
        var keyed = ann.with("Idempotency-Key", "page-1");
        var first = keyed.post(PATH, "{'url': 'https://example.org/', 'visibility': 'public'}");
        assertThat(first.outcome()).isEqualTo("201");
        var again = keyed.post(PATH, "{'url': 'https://example.org/', 'visibility': 'public'}");
        assertThat(again.outcome()).isEqualTo("201");
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(ann.post(first.header("Location") + "/refresh", "").outcome())
                .isEqualTo("200");
        var note = ann.with("Idempotency-Key", "note-1");
        var text = "{'text': 'Said once', 'visibility': 'private'}";
        assertThat(note.post(PATH, text).status()).isEqualTo(201);
        assertThat(note.post(PATH, text).status()).isEqualTo(201);
        assertThat(note.post(PATH, "{'text': 'Said otherwise', 'visibility': 'private'}")
                        .outcome())
                .isEqualTo("422 http.idempotency-mismatch");
    }

    @Test
    void aLateRepeatOfAChangeUndoesNothing() {
        var path =
                ann.post(PATH, "{'text': 'As it was', 'visibility': 'private'}").header("Location");
        var first = ann.with("Idempotency-Key", "change-1");
        assertThat(first.put(path, "{'text': 'One change'}").outcome()).isEqualTo("200");
        assertThat(ann.put(path, "{'text': 'Another change'}").outcome()).isEqualTo("200");
        var late = first.put(path, "{'text': 'One change'}");
        assertThat(late.outcome()).isEqualTo("200");
        assertThat(late.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(ann.get(path + "/chunks").body()).contains("Another change");
        assertThat(first.put(path, "{'text': 'A third'}").outcome()).isEqualTo("422 http.idempotency-mismatch");
        var file = ann.with("Idempotency-Key", "change-2");
        assertThat(upload(file, "PUT", path, "a.txt", "From a file", "").outcome())
                .isEqualTo("200");
        assertThat(upload(file, "PUT", path, "a.txt", "From a file", "").header("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(upload(file, "PUT", path, "a.txt", "From another", "").outcome())
                .isEqualTo("422 http.idempotency-mismatch");
    }

    @Test
    void aPageIsFetchedAgainOnceForEachKey() {
        test.web.put("https://example.org/news", "<title>News</title><p>Old");
        var path = ann.post(PATH, "{'url': 'https://example.org/news', 'visibility': 'private'}")
                .header("Location");
        test.web.put("https://example.org/news", "<title>News</title><p>New");
        var keyed = ann.with("Idempotency-Key", "refresh-1");
        assertThat(keyed.post(path + "/refresh", "").outcome()).isEqualTo("200");
        test.web.put("https://example.org/news", "<title>News</title><p>Newest");
        assertThat(keyed.post(path + "/refresh", "").header("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(ann.get(path + "/chunks").body()).contains("New").doesNotContain("Newest");
        assertThat(bob.with("Idempotency-Key", "refresh-1")
                        .post(path + "/refresh", "")
                        .outcome())
                .isEqualTo("404 knowledge.no-source");
    }

    @Test
    void aListIsReadPageByPage() {
        var cleo = client("Cleo");
        var made = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            made.addFirst(cleo.post(PATH, "{'text': 'Note %d', 'visibility': 'private'}".formatted(i))
                    .text("id"));
        }
        var found = new ArrayList<String>();
        var next = "";
        do {
            var page = cleo.get(PATH + "?mine=true&limit=2" + (next.isEmpty() ? "" : "&after=" + next));
            page.json().path("items").forEach(item -> found.add(item.path("id").asString()));
            next = page.text("next");
        } while (!next.isEmpty());
        assertThat(found).isEqualTo(made);
        var parted = cleo.post(PATH, "{'text': '# A\\n\\nOne.\\n\\n# B\\n\\nTwo.', 'visibility': 'private'}");
        var chunks = cleo.get(parted.header("Location") + "/chunks?limit=1");
        assertThat(cleo.get(parted.header("Location") + "/chunks?limit=1&after=" + chunks.text("next"))
                        .json()
                        .path("items")
                        .path(0)
                        .path("label")
                        .asString())
                .isEqualTo("B");
    }

    @Test
    void whatIsWrongIsTold() {
        for (var body : List.of(
                "{'text': 'x'}",
                "{'text': 'x', 'visibility': 'friends'}",
                "{'visibility': 'private'}",
                "{'text': 'x', 'url': 'https://example.org', 'visibility': 'private'}",
                "{'text': 'x', 'type': 'post', 'visibility': 'private'}",
                "{'text': 'x', 'type': 'nothing', 'visibility': 'private'}")) {
            assertThat(ann.post(PATH, body).outcome()).as(body).isEqualTo("400 knowledge.invalid");
        }
        assertThat(ann.post(PATH, "{'text': 'x', 'mediaType': 'image/png', 'visibility': 'private'}")
                        .outcome())
                .isEqualTo("415 knowledge.unsupported");
        assertThat(ann.post(PATH, "{'text': ' ', 'visibility': 'private'}").outcome())
                .isEqualTo("422 knowledge.nothing-to-read");
        assertThat(ann.get(PATH + "?type=nothing").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(ann.get(PATH + "?mine=perhaps").outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(ann.get(PATH + "/0000000000000001").outcome()).isEqualTo("404 knowledge.no-source");
        assertThat(ann.get(PATH + "/0000000000000001/chunks").outcome()).isEqualTo("404 knowledge.no-source");
        assertThat(ApiClient.anonymous(server.port()).get(PATH).status()).isEqualTo(401);
        assertThat(ApiClient.anonymous(server.port()).post(PATH, "{}").status()).isEqualTo(401);
    }
}
