package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Knowledge from the command line. */
class KnowledgeCommandsTest {

    private static final String PATH = "/api/v1/knowledge";
    private static final String SOURCE = """
            {"id":"198C2E846EE00000","type":"note","title":"House","status":"%s","errorMessage":"The key is refused.",
             "progress":{"chunks":4,"embedded":%d,"waiting":0,"dead":%d}}""";

    private final Path home;
    private final FakeServer server;
    private final CliRunner client;

    KnowledgeCommandsTest(@TempDir Path home) throws IOException {
        this.home = home;
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aFileIsSentAsAForm() throws IOException {
        server.answering("POST " + PATH + "/sources", 201, SOURCE.formatted("pending", 0, 0));
        var file = Files.writeString(home.resolve("house \"rules\".md"), "# Rules\nNo shoes.");
        var outcome = client.run("knowledge", "add", file.toString(), "--title", "Rules", "--public");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo("198C2E846EE00000  House, 4 chunks, pending\n");
        var request = server.lastRequest();
        assertThat(request.type()).startsWith("multipart/form-data; boundary=");
        assertThat(request.key()).isNotEmpty();
        assertThat(request.body())
                .containsSubsequence(
                        "name=\"visibility\"\r\n\r\npublic\r\n",
                        "name=\"title\"\r\n\r\nRules\r\n",
                        "name=\"file\"; filename=\"house _rules_.md\"\r\n\r\n# Rules\nNo shoes.\r\n--");
    }

    @Test
    void standardInputAndPagesAreSentAsJson() {
        server.answering("POST " + PATH + "/sources", 201, SOURCE.formatted("pending", 0, 0));
        assertThat(client.typing("No shoes.").run("knowledge", "add", "-").code())
                .isZero();
        assertThat(server.lastRequest().body())
                .contains("\"text\":\"No shoes.\"", "\"visibility\":\"private\"")
                .doesNotContain("title");
        assertThat(client.run("knowledge", "add", "https://example.org/a").code())
                .isZero();
        assertThat(server.lastRequest().body()).contains("\"url\":\"https://example.org/a\"");
    }

    @Test
    void whatCannotBeAddedIsRefusedBeforeTheServerIsAsked() {
        assertThat(client.run("knowledge", "add", home.resolve("nothing.md").toString())
                        .err())
                .contains("cannot be read");
        assertThat(client.typing(" ").run("knowledge", "add", "-").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("knowledge", "add", "https://example.org", "--title", "x")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void whoWaitsIsToldHowItEnded() {
        server.answering("POST " + PATH + "/sources", 201, SOURCE.formatted("processing", 1, 0))
                .answering("GET " + PATH + "/sources/198C2E846EE00000", 200, SOURCE.formatted("completed", 4, 0));
        var terminal = new Terminal(true, false, 80);
        var done = client.at(terminal).typing("text").run("knowledge", "add", "-", "--wait");
        assertThat(done.out()).isEqualTo("198C2E846EE00000  House, 4 chunks, completed\n");
        assertThat(done.err()).contains("embedding |███████").contains(" 25 %");
        assertThat(done.code()).isZero();

        server.answering("GET " + PATH + "/sources/198C2E846EE00000", 200, SOURCE.formatted("partial", 3, 1));
        var partly = client.typing("text").run("knowledge", "add", "-", "--wait");
        assertThat(partly.code()).isEqualTo(Cli.FAILED);
        assertThat(partly.err()).contains("1 of 4 chunks got no vector: The key is refused.");
    }

    @Test
    void nobodyWaitsForEver() {
        server.answering("POST " + PATH + "/sources", 201, SOURCE.formatted("pending", 0, 0))
                .answering("GET " + PATH + "/sources/198C2E846EE00000", 200, SOURCE.formatted("pending", 1, 0));
        var late = client.typing("text").run("knowledge", "add", "-", "--wait", "--timeout", "1s");
        assertThat(late.code()).isEqualTo(Cli.FAILED);
        assertThat(late.err()).contains("added as 198C2E846EE00000", "3 of 4 chunks have no vector yet");
        for (var time : new String[] {"soon", "-1s", "10"}) {
            assertThat(client.typing("text")
                            .run("knowledge", "add", "-", "--wait", "--timeout=" + time)
                            .code())
                    .as(time)
                    .isEqualTo(Cli.USAGE);
        }
    }

    @Test
    void hitsAreShownWithWhereTheyAre() {
        server.answering("POST " + PATH + "/search", 200, """
                {"items":[{"sourceTitle":"House","label":"Page 3","url":"/knowledge/sources/1?chunk=2","score":0.9,
                           "snippet":[{"text":"the ","hit":false},{"text":"key","hit":true},{"text":"\\n\\u001b[2J","hit":false}]},
                          {"sourceTitle":"Web","label":"Top","url":"https://example.org/a","score":0.8,"snippet":[]}],
                 "truncated":true,"why":"No more passages that you may read pass the filters."}""");
        var outcome = client.run("knowledge", "search", "cellar", "key", "--mode", "keyword", "--limit", "3");
        assertThat(outcome.out())
                .startsWith(
                        "1. House, Page 3\n   the key \uFFFD[2J\n   " + server.url() + "/knowledge/sources/1?chunk=2\n")
                .contains("2. Web, Top\n", "https://example.org/a");
        assertThat(outcome.err()).contains("No more passages");
        assertThat(server.lastRequest().body())
                .contains("\"query\":\"cellar key\"", "\"mode\":\"keyword\"", "\"limit\":3");

        server.answering("POST " + PATH + "/search", 200, "{\"items\":[],\"truncated\":false,\"why\":null}");
        assertThat(client.run("knowledge", "search", "x").out()).isEqualTo("Nothing was found.\n");
    }

    @Test
    void anAnswerIsPrintedAsItComesAndThenWhereItIsFrom() {
        server.answering("POST " + PATH + "/ask", 200, """
                retry: 2000

                event: passages
                data: []

                event: delta
                data: {"text":"Behind the "}

                event: delta
                data: {"text":"door [1].\\u001b[2J"}

                event: done
                data: {"mode":"model","answer":"…","citations":[{"number":1,"sourceTitle":"House","label":"Page 3","url":"/k/1"}],"why":null}

                """);
        var outcome = client.run("knowledge", "ask", "Where", "is it?", "--session", "thread:1");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .isEqualTo("Behind the door [1].\uFFFD[2J\n[1] House, Page 3  " + server.url() + "/k/1\n");
        assertThat(server.lastRequest().body())
                .contains("\"question\":\"Where is it?\"", "\"sessionKey\":\"thread:1\"");
    }

    @Test
    void passagesSayThatTheyAreNoAnswer() {
        server.answering("POST " + PATH + "/ask", 200, """
                event: done
                data: {"mode":"passages","answer":"[1] House: the key","citations":[],"why":"No model is configured."}

                """);
        var outcome = client.run("knowledge", "ask", "x");
        assertThat(outcome.err()).isEqualTo("No model is configured.\n");
        assertThat(outcome.out()).isEqualTo("[1] House: the key\n");
    }

    @Test
    void anAnswerThatBreaksOffFails() {
        server.answering("POST " + PATH + "/ask", 200, "event: delta\ndata: {\"text\":\"Behind\"}\n\n");
        assertThat(client.run("knowledge", "ask", "x").code()).isEqualTo(Cli.UNREACHABLE);
        server.answering(
                "POST " + PATH + "/ask",
                200,
                "event: problem\ndata: {\"code\":\"http.internal\",\"detail\":\"Something went wrong.\"}\n\n");
        var failed = client.run("knowledge", "ask", "x");
        assertThat(failed.code()).isEqualTo(Cli.FAILED);
        assertThat(failed.err()).isEqualTo("Something went wrong.\n");
        server.answering(
                "POST " + PATH + "/ask", 429, "{\"code\":\"http.rate-limited\",\"detail\":\"Too many requests.\"}");
        var refused = client.run("knowledge", "ask", "x");
        assertThat(refused.code()).isEqualTo(Cli.FAILED);
        assertThat(refused.err()).contains("Too many requests.");
    }

    @Test
    void aProgramGetsTheWholeAnswer() {
        server.answering("POST " + PATH + "/ask", 200, "{\"mode\": \"passages\"}");
        assertThat(client.run("knowledge", "ask", "x", "--json").out()).isEqualTo("{\"mode\":\"passages\"}\n");
    }

    @Test
    void sourcesAreListedWithHowFarTheyAre() {
        server.answering(
                "GET " + PATH + "/sources?mine=true",
                200,
                "{\"items\":[%s],\"next\":\"c2\"}".formatted(SOURCE.formatted("processing", 1, 0)));
        var outcome = client.run("knowledge", "sources", "--mine");
        assertThat(outcome.out()).contains("STATUS", "processing  1 of 4    House");
        assertThat(outcome.err()).contains("--after c2");
    }

    @Test
    void deadLettersAreListedAndTriedAgain() {
        server.answering("GET " + PATH + "/dlq", 200, """
                {"items":[{"id":"1","sourceTitle":"House","errorCode":"RATE_LIMIT","retryCount":3,"createdAt":"2026-01-01"}],
                 "next":null}""");
        assertThat(client.run("knowledge", "dlq").out()).contains("RATE_LIMIT  3");
        server.answering("POST " + PATH + "/dlq/retry-all", 200, "{\"retried\":7}")
                .answering("POST " + PATH + "/dlq/1/retry", 204, "");
        assertThat(client.run("knowledge", "dlq", "retry").out()).isEqualTo("7 are tried again.\n");
        assertThat(client.run("knowledge", "dlq", "retry", "1").out()).isEqualTo("It is tried again.\n");
        assertThat(client.run("knowledge", "dlq", "burn").code()).isEqualTo(Cli.USAGE);
    }
}
