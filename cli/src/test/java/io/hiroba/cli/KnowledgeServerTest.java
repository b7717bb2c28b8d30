package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Knowledge from the command line, against a whole Hiroba. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class KnowledgeServerTest {

    private final TestServer server =
            TestServer.start("--http.rate-limit.enabled=false", "--accounts.limits.failures-per-account=1000");
    private final Path home;
    private final CliRunner client;

    KnowledgeServerTest(@TempDir Path home) {
        this.home = home;
        this.client = new CliRunner(home);
    }

    @BeforeAll
    void signIn() {
        assertThat(client.typing(TestServer.ADMIN_PASSWORD + "\n")
                        .run("login", "--url", server.url(), "--email", TestServer.ADMIN_EMAIL, "--password-stdin")
                        .code())
                .isZero();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void whatIsAddedIsFoundAndAnswers() throws IOException {
        var note = client.typing("The key to the cellar hangs behind the green door.")
                .run("knowledge", "add", "-", "--title", "House", "--wait");
        assertThat(note.err()).isEmpty();
        assertThat(note.out()).endsWith("  House, 1 chunks, completed\n");
        var file = Files.writeString(
                home.resolve("boats.md"), "# Boats\n\nThe ferry leaves at nine, except on Sundays.\n");
        assertThat(client.run("knowledge", "add", file.toString(), "--public", "--wait")
                        .out())
                .contains("Boats", "completed");

        assertThat(client.run("knowledge", "sources", "--mine").out()).contains("House", "Boats", "1 of 1");
        assertThat(client.run("knowledge", "search", "ferry", "--mode", "keyword")
                        .out())
                .startsWith("1. Boats, Boats\n")
                .contains(server.url() + "/knowledge/sources/");
        var answer = client.run("knowledge", "ask", "where is the key to the cellar?", "--session", "thread:house");
        assertThat(answer.err()).contains("No model is configured");
        assertThat(answer.out()).contains("[1] House").contains("green door");
        assertThat(answer.code()).isZero();
        assertThat(client.run("knowledge", "dlq").out()).isEqualTo("There are none.\n");
        assertThat(client.run("knowledge", "dlq", "retry").out()).isEqualTo("0 are tried again.\n");
    }

    @Test
    void aRefusalIsASentence() throws IOException {
        var inside = client.run("knowledge", "add", "http://127.0.0.1:1/secret");
        assertThat(inside.code()).isEqualTo(Cli.FAILED);
        assertThat(inside.err()).isNotBlank().doesNotContain("Exception");
        var nonsense = Files.write(home.resolve("nonsense.pdf"), new byte[] {1, 2, 3, 0, (byte) 0xff});
        var refused = client.run("knowledge", "add", nonsense.toString());
        assertThat(refused.code()).isEqualTo(Cli.FAILED);
        assertThat(refused.err()).isNotBlank().doesNotContain("Exception");
        assertThat(client.run("knowledge", "search", "x", "--mode", "magic").err())
                .contains("hybrid, vector or keyword");
    }
}
