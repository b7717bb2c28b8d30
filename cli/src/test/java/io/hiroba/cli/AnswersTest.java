package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswersTest {

    private final FakeServer server;
    private final CliRunner client;

    AnswersTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void columnsStayAlignedWhenNamesAreWide() {
        server.answering("GET /api/v1/users?nicknamePrefix=%E5%BA%83&limit=2", 200, """
                {"items":[{"id":"1","nickname":"広場","email":"a@example.org","isAdmin":true,"countPosts":12,
                           "countFollowers":3,"countFollowees":0},
                          {"id":"2","nickname":"広","email":"b@example.org","isAdmin":false}],"next":"c2"}""");
        var outcome = client.run("user", "list", "--prefix", "広", "--limit", "2");

        assertThat(outcome.out()).isEqualTo("""
                ID  NICKNAME  E-MAIL         ROLE    POSTS  FOLLOWERS  FOLLOWING
                1   広場      a@example.org  admin   12     3          0
                2   広        b@example.org  member  0      0          0
                """);
        assertThat(outcome.err()).contains("--after c2");
    }

    @Test
    void usersComeInTheChosenOrder() {
        server.answering("GET /api/v1/users?order=newest", 200, "{\"items\":[],\"next\":null}");
        assertThat(client.run("user", "list", "--order", "newest", "--json").out())
                .isEqualTo("{\"items\":[],\"next\":null}\n");
    }

    @Test
    void jsonIsTheServersAnswerOnOneLine() {
        server.answering("GET /api/v1/users", 200, "{\"items\": [],\n \"next\": null}");

        assertThat(client.run("user", "list", "--json").out()).isEqualTo("{\"items\":[],\"next\":null}\n");
    }

    @Test
    void whatATerminalWouldObeyIsNotPrinted() {
        server.answering("GET /api/v1/users/1", 200, """
                {"id":"1","nickname":"\\u001b[2Jx\\u202e\\ny","email":"a@example.org"}""");

        assertThat(client.run("user", "show", "1").out()).contains("nickname  \uFFFD[2Jx\uFFFD y");
        assertThat(client.run("user", "show", "1", "--json").out()).contains("\\u001B[2Jx");
    }

    @Test
    void aRefusalNamesTheFieldsAtFault() {
        server.answering("POST /api/v1/users", 400, """
                {"code":"http.invalid","detail":"Some fields are not acceptable.",
                 "errors":[{"field":"email","message":"is not an address"},{"field":"nickname","message":"is too long"}]}""");
        var outcome =
                client.typing("pw\n").run("user", "create", "--email", "x", "--nickname", "y", "--password-stdin");

        assertThat(outcome.code()).isEqualTo(Cli.FAILED);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).isEqualTo("""
                Some fields are not acceptable.
                  email: is not an address
                  nickname: is too long
                """);
    }

    @Test
    void aRefusalInJsonIsTheServersProblem() {
        server.answering("GET /api/v1/me", 403, "{\"code\":\"http.forbidden\",\"detail\":\"No.\"}");

        assertThat(client.run("whoami", "--json").err())
                .isEqualTo("{\"code\":\"http.forbidden\",\"detail\":\"No.\"}\n");
    }

    @Test
    void anUnreachableServerHasItsOwnExitCodeAndSaysHowToStartOne() throws IOException {
        int closed;
        try (var socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        var outcome = client.run("whoami", "--url", "http://127.0.0.1:" + closed);

        assertThat(outcome.code()).isEqualTo(Cli.UNREACHABLE);
        assertThat(outcome.err()).contains("./hiroba up").doesNotContain("Exception");
    }

    @Test
    void somethingElseBehindTheAddressIsNotMistakenForHiroba() {
        server.answering("GET /api/v1/me", 200, "<html>hello</html>");
        var page = client.run("whoami");
        server.answering("GET /api/v1/me", 302, "");
        var redirect = client.run("whoami");

        assertThat(page.code()).isEqualTo(Cli.FAILED);
        assertThat(page.err()).contains("does not speak as Hiroba does (status 200)");
        assertThat(redirect.err()).contains("(status 302)");
    }

    @Test
    void tokensAreMadeListedAndRevoked() {
        server.answering("POST /api/v1/tokens", 201, "{\"id\":\"A1\",\"token\":\"once\"}");
        server.answering("GET /api/v1/tokens", 200, """
                {"items":[{"id":"A1","name":"bot","createdAt":"2026-01-01T00:00:00Z","lastUsedAt":null,"expiresAt":null}]}""");
        server.answering("DELETE /api/v1/tokens/A1", 204, "");

        server.answering("GET /api/v1/me", 200, "{\"id\":\"B2\",\"email\":\"ada@example.org\"}");

        var made = client.typing("pw\n").run("token", "create", "--name", "bot", "--password-stdin");
        assertThat(made.out()).isEqualTo("once\n");
        assertThat(server.lastRequest().body())
                .contains("\"email\":\"ada@example.org\"", "\"password\":\"pw\"", "\"name\":\"bot\"");
        assertThat(client.run("token", "list").out()).contains("A1  bot   2026-01-01T00:00:00Z");
        assertThat(client.run("token", "revoke", "A1").out()).isEqualTo("Revoked token A1.\n");
    }

    @Test
    void anIdCannotLeaveItsPlaceInTheAddress() {
        client.run("user", "show", "../tokens?x=1");

        assertThat(server.lastRequest().line()).isEqualTo("GET /api/v1/users/..%2Ftokens%3Fx%3D1");
        assertThat(client.run("user", "show", "..").code()).isEqualTo(Cli.USAGE);
    }

    @Test
    void whatIsWrittenWronglyHasItsOwnExitCode() {
        assertThat(client.run("usr").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("user").err()).contains("Say what to do: create, list, show.");
        assertThat(client.run("user", "create").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("whoami", "--url", "ftp://example.org").code()).isEqualTo(Cli.USAGE);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void outputThatIsLostIsAFailureUnlessNobodyReadsOn() {
        server.answering("GET /api/v1/users", 200, "{\"items\":[],\"next\":null}");

        var full = client.runInto(new Broken("No space left on device"), "user", "list");
        assertThat(full.code()).isEqualTo(Cli.FAILED);
        assertThat(full.err()).isEqualTo("The output could not be written: No space left on device\n");
        var json = client.runInto(new Broken("No space left on device"), "user", "list", "--json");
        assertThat(json.err()).startsWith("{").contains("\"code\":\"cli.output\"");
        var closed = client.runInto(new Broken("Broken pipe"), "user", "list");
        assertThat(closed.code()).isZero();
        assertThat(closed.err()).isEmpty();
    }

    /** An output that takes nothing. */
    private static final class Broken extends OutputStream {
        private final String reason;

        Broken(String reason) {
            this.reason = reason;
        }

        @Override
        public void write(int each) throws IOException {
            throw new IOException(reason);
        }
    }

    @Test
    void aTokenThatCannotBeOneIsNotShown() {
        server.answering("GET /api/v1/me", 200, "{}");
        for (var token : new String[] {"hrb_se\rcret", "hrb_se cret", "hrb_se\u00fccret"}) {
            var outcome = client.with("HIROBA_TOKEN", token).run("whoami");
            assertThat(outcome.code()).isEqualTo(Cli.USAGE);
            assertThat(outcome.err()).contains("HIROBA_TOKEN").doesNotContain("hrb_", "cret");
        }
        assertThat(server.requests()).isEmpty();
        assertThat(client.with("HIROBA_TOKEN", "hrb_secret\r\n").run("whoami").code())
                .isZero();
    }

    @Test
    void whatIsWrittenWronglyIsJsonForAProgram() {
        for (var words : new String[][] {
            {"feed", "--json", "--cursor", "x"},
            {"user", "list", "--limit", "x", "--json"},
            {"whoami", "--json", "\uFFFD"}
        }) {
            var outcome = client.run(words);
            assertThat(outcome.code()).isEqualTo(Cli.USAGE);
            assertThat(outcome.err()).startsWith("{").hasLineCount(1).contains("\"code\":\"cli.usage\"");
        }
        assertThat(client.with("LANG", "ja_JP.UTF-8")
                        .run("feed", "--json", "--cursor")
                        .err())
                .contains("不明なオプションです：--cursor");
    }

    /** As the JVM reads bytes of an argument that are not UTF-8. */
    @Test
    void anArgumentThatIsNotUtf8IsNotPosted() {
        var outcome = client.run("post", "caf\uFFFD");

        assertThat(outcome.code()).isEqualTo(Cli.USAGE);
        assertThat(outcome.err()).isEqualTo("An argument is not text in UTF-8.\n");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void helpListsCommandsAndExitCodes() {
        var outcome = client.run("--help");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains(
                        "login",
                        "whoami",
                        "user",
                        "token",
                        "post",
                        "feed",
                        "search",
                        "models, backup, restore, upgrade-database",
                        "3  the server cannot be reached");
        assertThat(client.run("user", "create", "--help").out()).contains("--nickname=NAME");
    }
}
