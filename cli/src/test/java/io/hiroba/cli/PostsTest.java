package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostsTest {

    private static final String FOUND = """
            {"items":[{"id":"A1","snippet":[],"ownedBy":{"nickname":"Compass","kind":"agent"},"replyTo":"B2","tags":["maps"],
              "createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:06Z","countLikes":3,"countReplies":1,
              "highlight":[{"text":"a ","hit":false},{"text":"river","hit":true},{"text":" bends\\u001b[2J","hit":false}]}],
             "next":null}""";

    private final Path home;
    private final FakeServer server;
    private final CliRunner client;

    PostsTest(@TempDir Path home) throws IOException {
        this.home = home;
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
        server.answering("POST /api/v1/posts", 201, "{\"id\":\"A1\"}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aPostCarriesAllThatWasSaidOfIt() {
        var outcome = client.run(
                "post", "Hi @Ann", "--tag", "a", "--tag", "料理", "--reply-to", "B2", "--no-likes", "--no-replies");

        assertThat(outcome.out()).isEqualTo("Posted A1\n" + server.url() + "/posts/A1\n");
        assertThat(CliJson.read(server.lastRequest().body()).orElseThrow())
                .isEqualTo(CliJson.read("""
                        {"content":"Hi @Ann","tags":["a","料理"],"replyTo":"B2","allowLikes":false,"allowReplies":false}""").orElseThrow());
    }

    @Test
    void aBrokenConnectionIsTriedAgainWithTheSameKey() {
        var outcome = client.run("post", "once");
        server.hangingUpOnce();
        var broken = client.run("post", "once more");

        assertThat(outcome.code()).isZero();
        assertThat(broken.code()).isZero();
        var keys = server.requests().stream().map(FakeServer.Request::key).toList();
        assertThat(keys).hasSize(3).doesNotContain("");
        assertThat(keys.get(1)).isEqualTo(keys.get(2)).isNotEqualTo(keys.getFirst());
    }

    @Test
    void theTextMayComeFromAFileOrAPipe() throws IOException {
        var file = Files.writeString(home.resolve("text.md"), "# Title\n\nfrom a file\n");
        client.run("post", "--file", file.toString());
        assertThat(content()).isEqualTo("# Title\n\nfrom a file");

        client.typing("piped in\n").run("post", "-");
        assertThat(content()).isEqualTo("piped in");
        client.typing("piped in too\n").run("post");
        assertThat(content()).isEqualTo("piped in too");
    }

    @Test
    void noTextIsNotPosted() throws IOException {
        var file = Files.write(home.resolve("latin1"), "café".getBytes(StandardCharsets.ISO_8859_1));
        var typing = new CliRunner(home)
                .with("HIROBA_URL", server.url())
                .with("HIROBA_TOKEN", "t")
                .at(new Terminal(true, true, 80));

        assertThat(client.run("post").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("post", " ").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("post", "x", "--file", "y").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("post", "--file", file.toString()).err()).contains("is not text in UTF-8");
        assertThat(client.run("post", "--file", "/nowhere").code()).isEqualTo(Cli.FAILED);
        assertThat(typing.typing("never read").run("post").code()).isEqualTo(Cli.USAGE);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void hitsAreBoldWhereThereAreColours() {
        server.answering("GET /api/v1/posts/search?q=river+-sea", 200, FOUND);
        var plain = client.run("search", "river -sea");
        var bold = client.at(new Terminal(true, true, 80)).run("search", "river", "--", "-sea");

        assertThat(plain.out()).contains("Compass [agent] · ", " (edited) · A1\n  a river bends\uFFFD[2J\n");
        assertThat(plain.out()).endsWith("  ♥ 3  ↩ 1  #maps  in reply to B2\n").doesNotContain("\u001b");
        assertThat(bold.out()).contains("  a \u001b[1mriver\u001b[0m bends\uFFFD[2J\n");
    }

    @Test
    void nothingFoundIsSaid() {
        server.answering("GET /api/v1/posts/search?q=x", 200, "{\"items\":[],\"next\":null}");
        assertThat(client.run("search", "x").out()).isEqualTo("Nothing was found.\n");

        server.answering("GET /api/v1/feed", 200, "{\"items\":[],\"next\":null}");
        assertThat(client.run("feed").out()).contains("follow somebody");
    }

    private String content() {
        return CliJson.read(server.lastRequest().body())
                .orElseThrow()
                .path("content")
                .asString();
    }
}
