package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Records from the command line, against a whole Hiroba. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class RecordsCommandsTest {

    private final TestServer server =
            TestServer.start("--http.rate-limit.enabled=false", "--accounts.limits.failures-per-account=1000");
    private final Path home;
    private final CliRunner client;

    RecordsCommandsTest(@TempDir Path home) {
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
        api().post("/api/v1/projects", Map.of("name", name));
    }

    private Api api() {
        var known = new CredentialsFile(client.surroundings()).read().orElseThrow();
        return new Api(known.server(), Optional.of(known.token()));
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(home.resolve(name), content).toString();
    }

    @Test
    void aFileIsTriedImportedAskedAndExported() throws IOException {
        project("shop");
        var file = file("items.csv", "name,price,city\nOx,1.50,大阪\nCow,20,Tokyo\nHen,3,\n");
        var tried = client.run("records", "import", "shop", "item", file, "--create", "--dry-run");
        assertThat(tried.out()).contains("price   price      numeric", "3 records were looked at: nothing is wrong");
        assertThat(tried.code()).isZero();
        assertThat(client.run("records", "schemas", "shop").out()).doesNotContain("item");

        var done = client.run("records", "import", "shop", "item", file, "--create");
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).isEqualTo("3 records were imported.\n");
        assertThat(client.run("records", "projects").out()).contains("shop", "owner");
        assertThat(client.run("records", "schemas", "shop").out()).contains("100", "item", "name, price, city");

        var found = client.run(
                "records",
                "query",
                "shop",
                "item",
                "--where",
                "price>=2",
                "--sort",
                "-price",
                "--select",
                "name,price");
        assertThat(found.out()).containsPattern("name +price\n[0-9a-f-]{36} +Cow +20\n[0-9a-f-]{36} +Hen +3\n");
        assertThat(client.run("records", "query", "shop", "item", "--where", "city missing", "--json")
                        .out())
                .contains("\"Hen\"");
        assertThat(client.run("records", "query", "shop", "item", "--where", "name notContains O", "--json")
                        .out())
                .contains("Hen")
                .doesNotContain("Ox", "Cow");
        assertThat(client.run("records", "query", "shop", "item", "--where", "price within today")
                        .err())
                .contains("within");
        assertThat(client.run("records", "query", "shop", "item", "--where", "name^=X")
                        .out())
                .isEqualTo("There are no such records.\n");
        assertThat(client.run("records", "query", "shop", "item", "--limit", "1")
                        .err())
                .contains("--after ");

        assertThat(client.run("records", "export", "shop", "item", "--where", "name in Ox,Hen", "--sort", "price")
                        .out())
                .isEqualTo("name,price,city\nOx,1.50,大阪\nHen,3,\n");
        var out = home.resolve("out.jsonl");
        assertThat(client.run("records", "export", "shop", "item", "-o", out.toString(), "--where", "price<2")
                        .out())
                .contains("out.jsonl");
        assertThat(Files.readString(out)).isEqualTo("{\"name\":\"Ox\",\"price\":1.50,\"city\":\"大阪\"}\n");
    }

    @Test
    void anExportHasWhatReferencesAreCalled() throws IOException {
        project("library");
        client.run("records", "import", "library", "author", file("authors.csv", "name\nAda\n"), "--create");
        var project = "/api/v1/projects/" + projectId("library");
        api().post(
                        project + "/schemas",
                        Map.of(
                                "name",
                                "book",
                                "attributes",
                                List.of(
                                        Map.of("name", "title", "type", "text"),
                                        Map.of("name", "by", "type", "text", "references", "author"))));
        client.run("records", "import", "library", "book", file("books.csv", "title,by\nNotes,Ada\n"));
        assertThat(client.run("records", "export", "library", "book").out()).startsWith("title,by\nNotes,");
        assertThat(client.run("records", "export", "library", "book", "--display-names")
                        .out())
                .matches("title,by,_by\nNotes,[0-9a-f-]{36},Ada\n");
    }

    @Test
    void daysAndDurationsAreReadAsTheOptionsSay() throws IOException {
        project("times");
        var file = file("times.csv", "day,length\n8/7/2026,1:30\n");
        assertThat(client.run("records", "import", "times", "likely", file, "--create", "--dry-run")
                        .out())
                .contains("length  length     duration");
        client.run(
                "records",
                "import",
                "times",
                "run",
                file,
                "--create",
                "--dates",
                "day-first",
                "--durations",
                "minutes");
        assertThat(client.run("records", "export", "times", "run").out()).isEqualTo("day,length\n2026-07-08,90\n");
        assertThat(client.run("records", "import", "times", "walk", file, "--create", "--durations", "days")
                        .err())
                .contains("hours, minutes, text");
    }

    @Test
    void decimalsAreReadAsTheOptionSays() throws IOException {
        project("decimals");
        var file = file("comma.csv", "name;weight\nHay;1,500\n");
        client.run("records", "import", "decimals", "hay", file, "--create", "--decimal", "comma");
        assertThat(client.run("records", "query", "decimals", "hay", "--where", "weight<2")
                        .out())
                .contains("Hay");
        client.run("records", "import", "decimals", "straw", file, "--create", "--decimal", "point");
        assertThat(client.run("records", "query", "decimals", "straw", "--where", "weight=1500")
                        .out())
                .contains("Hay");
        assertThat(client.run("records", "import", "decimals", "x", file, "--create", "--decimal", "dot")
                        .err())
                .contains("point", "comma");
    }

    private String projectId(String name) {
        for (var each : api().get("/api/v1/projects").path("items")) {
            if (each.path("name").asString("").equals(name)) {
                return each.path("id").asString("");
            }
        }
        throw new AssertionError("no project " + name);
    }

    @Test
    void whatIsWrongWithAFileIsToldByLine() throws IOException {
        project("errors");
        client.run("records", "import", "errors", "item", file("first.csv", "name,price\na,1\n"), "--create");
        var bad = file("bad.csv", "name,price\nb,2\nc,x\nd,4\n");
        var tried = client.run("records", "import", "errors", "item", bad, "--dry-run");
        assertThat(tried.out()).contains("line 3: price must be a number");
        assertThat(tried.code()).isEqualTo(Cli.FAILED);
        var stopped = client.run("records", "import", "errors", "item", bad);
        assertThat(stopped.code()).isEqualTo(Cli.FAILED);
        assertThat(stopped.out()).contains("Line 3: `price` must be a number. The 1 record");
        var repeated = client.run("records", "import", "errors", "item", bad);
        assertThat(repeated.code()).isEqualTo(Cli.FAILED);
        assertThat(repeated.err()).contains("would be there twice", "--from-line");
        var mended = file("mended.csv", "name,price\nb,2\nc,3\nd,4\n");
        assertThat(client.run("records", "import", "errors", "item", mended, "--from-line", "3")
                        .out())
                .isEqualTo("2 records were imported.\n");
        var other = file("other.csv", "Name,colour\nx,red\n");
        assertThat(client.run("records", "import", "errors", "item", other, "--dry-run")
                        .out())
                .contains("the column `colour`, which is no attribute of `item`");
        assertThat(client.run(
                                "records",
                                "import",
                                "errors",
                                "item",
                                other,
                                "--column",
                                "Name=name",
                                "--column",
                                "colour=")
                        .out())
                .isEqualTo("1 records were imported.\n");
        var skipped = client.run("records", "import", "errors", "item", bad, "--skip-errors");
        assertThat(skipped.code()).isZero();
        assertThat(skipped.out()).isEqualTo("2 records were imported, 1 lines passed over.\n");
        assertThat(skipped.err()).contains("line 3: price must be a number");
    }

    @Test
    void anUploadThatBrokeOffGoesOn() throws IOException {
        project("resumed");
        client.run("records", "import", "resumed", "row", file("one.csv", "n\n0\n"), "--create");
        var file = Path.of(file("rows.csv", "n\n1\n2\n3\n"));
        // As the same command leaves it when it is ended in the middle.
        var path = RecordsCommands.project(api(), "resumed") + "/imports";
        var source = "%s row 8 stop - csv , UTC".formatted(RecordFiles.hash(file));
        var begun = api().post(path, Map.of("schema", "row", "format", "csv", "source", source, "size", 8));
        api().append(
                        path + "/" + begun.path("id").asString("") + "/content",
                        0,
                        "n\n1\n".getBytes(StandardCharsets.UTF_8));

        var done = client.run("records", "import", "resumed", "row", file.toString());
        assertThat(done.err())
                .contains("Going on with import " + begun.path("id").asString(""));
        assertThat(done.out()).isEqualTo("3 records were imported.\n");
        var again = client.run("records", "import", "resumed", "row", file.toString());
        assertThat(again.code()).isEqualTo(Cli.FAILED);
        assertThat(again.err()).contains("imported before", "--again");
        assertThat(client.run("records", "import", "resumed", "row", file.toString(), "--again")
                        .out())
                .isEqualTo("3 records were imported.\n");
    }

    @Test
    void whatCannotBeDoneIsSaidInASentence() throws IOException {
        project("twice");
        project("twice");
        assertThat(client.run("records").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("records", "schemas", "nowhere").err()).contains("no project that is called `nowhere`");
        assertThat(client.run("records", "schemas", "twice").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("records", "schemas", "0000000000000001").code()).isEqualTo(Cli.FAILED);
        project("plain");
        assertThat(client.run("records", "query", "plain", "item", "--where", "price")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("records", "query", "plain", "item").err()).contains("no schema `item`");
        assertThat(client.run("records", "export", "plain", "item").err()).contains("no schema `item`");
        assertThat(client.run("records", "export", "plain", "item", "-o", "/nowhere/a.csv")
                        .err())
                .contains("/nowhere/a.csv cannot be written");
        assertThat(client.run("records", "import", "plain", "item", "/nowhere.csv")
                        .err())
                .contains("cannot be read");
        assertThat(client.run("records", "import", "plain", "item", file("empty.csv", ""))
                        .err())
                .contains("is empty");
        assertThat(client.run("records", "import", "plain", "item", file("a.csv", "n\n1\n"))
                        .err())
                .contains("no schema `item`");
    }
}
