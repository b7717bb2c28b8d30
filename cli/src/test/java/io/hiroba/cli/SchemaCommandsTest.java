package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.cli.CliRunner.Outcome;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Schemas from the command line, against a whole Hiroba. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class SchemaCommandsTest {

    private final TestServer server = TestServer.start("--http.rate-limit.enabled=false");
    private final Path home;
    private final CliRunner client;

    SchemaCommandsTest(@TempDir Path home) {
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

    private void project(String name) {
        var known = new CredentialsFile(client.surroundings()).read().orElseThrow();
        new Api(known.server(), Optional.of(known.token())).post("/api/v1/projects", Map.of("name", name));
    }

    private Outcome schema(String... words) {
        var all = new String[words.length + 1];
        all[0] = "schema";
        System.arraycopy(words, 0, all, 1, words.length);
        return client.run(all);
    }

    @Test
    void aSchemaIsMadeChangedDeletedAndRestored() throws IOException {
        project("shop");
        var made = schema("create", "shop", "商品", "--attribute", "名前:text:required", "--attribute", "sku:text:unique");
        assertThat(made.out()).as(made.err()).isEqualTo("Created schema 商品.\n");
        assertThat(schema("add-attribute", "shop", "商品", "価格:numeric", "--format", "currency")
                        .code())
                .isNotZero();
        var added = schema("add-attribute", "shop", "商品", "state:text", "--option", "draft", "--option", "active");
        assertThat(added.out()).as(added.err()).contains("the attribute state");
        assertThat(schema("add-attribute", "shop", "商品", "価格:numeric").code()).isZero();
        assertThat(schema("add-attribute", "shop", "商品", "self:text", "--references", "商品")
                        .code())
                .isZero();
        assertThat(schema("show", "shop", "商品").out())
                .containsPattern("名前 +text +required")
                .containsPattern("sku +text +unique")
                .containsPattern("state +text +draft . active")
                .containsPattern("self +text +references 商品");
        assertThat(schema("add-attribute", "shop", "商品", "sku:text").code()).isEqualTo(Cli.USAGE);

        assertThat(schema("rename", "shop", "商品", "title", "--attribute", "名前").out())
                .isEqualTo("Renamed 名前 to title.\n");
        assertThat(schema("rename", "shop", "商品", "product").code()).isZero();
        assertThat(schema("list", "shop").out()).contains("product", "title, sku, state, 価格, self");
        assertThat(schema("show", "shop", "product", "--json").out()).contains("\"name\":\"title\"");

        client.run("records", "import", "shop", "product", file("a.csv", "title,sku,価格\nOx,a,\"1.234,5\"\n"));
        var preview = schema("delete", "shop", "product", "--dry-run");
        assertThat(preview.code()).as(preview.err()).isZero();
        assertThat(schema("delete", "shop", "product").out()).contains("schema restore shop product");
        assertThat(schema("list", "shop").out()).doesNotContain("product");
        assertThat(schema("list", "shop", "--deleted").out()).contains("product");
        assertThat(schema("restore", "shop", "nothing").err()).contains("No schema `nothing` was deleted");
        assertThat(schema("restore", "shop", "product", "--name", "goods").out())
                .isEqualTo("Restored schema goods.\n");
        assertThat(schema("show", "shop", "goods").code()).isZero();
    }

    @Test
    void aDefinitionComesFromAFile() throws IOException {
        project("files");
        var own = file("own.json", "{\"name\": \"task\", \"attributes\": [{\"name\": \"due\", \"type\": \"date\"}]}");
        assertThat(schema("create", "files", "--file", own).out()).isEqualTo("Created schema task.\n");
        var json = file("schema.json", "{\"type\": \"object\", \"properties\": {\"size\": {\"type\": \"number\"}}}");
        assertThat(schema("create", "files", "box", "--file", json).out()).isEqualTo("Created schema box.\n");
        assertThat(schema("show", "files", "box").out()).containsPattern("size +numeric");
        assertThat(schema("create", "files", "--file", json).err()).contains("Give the schema a name");
        assertThat(schema("create", "files", "a", "--file", own, "--attribute", "b:text")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(schema("create", "files", "a", "--attribute", "plain").err()).contains("`plain` is no attribute");
        assertThat(schema("create", "files", "a", "--attribute", "b:nothing").code())
                .isEqualTo(Cli.FAILED);
        assertThat(schema("list", "nowhere").code()).isEqualTo(Cli.FAILED);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(home.resolve(name), content).toString();
    }
}
