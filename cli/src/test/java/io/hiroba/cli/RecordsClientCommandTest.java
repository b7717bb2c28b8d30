package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Generated clients compile, whatever things are called, and do what they say. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class RecordsClientCommandTest {

    private static final String SHOP = """
            {"name": "商品 (new)", "attributes": [
              {"name": "名前", "type": "text", "required": true},
              {"name": "class", "type": "numeric", "required": true},
              {"name": "a b", "type": "date"},
              {"name": "a-b", "type": "datetime"},
              {"name": "a_b", "type": "bool"},
              {"name": "getClass", "type": "jsonb"},
              {"name": "values", "type": "text", "required": true, "default": "on sale",
               "options": [{"value": "on sale"}, {"value": "on-sale", "title": "*/ }"}, {"value": "\\"; */ \\\\u0022 `${x}`\\u202e"}]},
              {"name": "tags", "type": "multi_select", "options": [{"value": "new"}, {"value": "値"}]},
              {"name": "who", "type": "text", "format": "person", "many": true},
              {"name": "files", "type": "jsonb", "format": "attachments"},
              {"name": "no", "type": "numeric", "format": "autonumber"}]}
            """;

    private final TestServer server =
            TestServer.start("--http.rate-limit.enabled=false", "--accounts.limits.failures-per-account=1000");
    private final Path home;
    private final CliRunner client;
    private String token = "";

    RecordsClientCommandTest(@TempDir Path home) {
        this.home = home;
        this.client = new CliRunner(home);
    }

    @BeforeAll
    void aShop() {
        client.typing(TestServer.ADMIN_PASSWORD + "\n")
                .run("login", "--url", server.url(), "--email", TestServer.ADMIN_EMAIL, "--password-stdin");
        var known = new CredentialsFile(client.surroundings()).read().orElseThrow();
        token = known.token();
        var api = new Api(known.server(), Optional.of(token));
        api.post("/api/v1/projects", Map.of("name", "shop"));
        var schemas = RecordsCommands.project(api, "shop") + "/schemas";
        api.post(schemas, "application/json", SHOP);
        for (var name : List.of("Promise", "class", "constructor", "Object", "row", "商品 -new-")) {
            api.post(
                    schemas,
                    "application/json",
                    "{\"name\": \"%s\", \"attributes\": [{\"name\": \"x\", \"type\": \"text\"}]}".formatted(name));
        }
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Path generated(String language, String name, String... more) {
        var file = home.resolve(name);
        var words = Stream.concat(
                        Stream.of("records", "client", "shop", "--language", language, "-o", file.toString()),
                        Stream.of(more))
                .toArray(String[]::new);
        var done = client.run(words);
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).contains(name);
        return file;
    }

    private static String compiled(Path into, Path... sources) {
        var errors = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var files = compiler.getStandardFileManager(null, null, null);
        compiler.getTask(
                        errors,
                        files,
                        null,
                        List.of(
                                "-d",
                                into.toString(),
                                "-Xlint:all,-serial",
                                "-Werror",
                                "-proc:none",
                                "--release",
                                "21"),
                        null,
                        files.getJavaFileObjects(sources))
                .call();
        return errors.toString();
    }

    @Test
    void aClientInJavaCompilesAndWorks() throws Exception {
        var made = generated("java", "Shop.java", "--package", "org.example.shop");
        var use = Files.writeString(home.resolve("Use.java"), """
                package org.example.shop;

                import java.math.BigDecimal;
                import java.net.URI;
                import java.time.*;
                import java.util.*;

                public final class Use {
                    public static String run(String url, String token) {
                        var shop = new Shop(URI.create(url), token, Shop.PROJECT);
                        var table = shop.商品_new();
                        var made = table.create(Shop.商品New.of("a \\" \\\\ 😀\\n", new BigDecimal("1.50"))
                                .a_b(true).a_b_2(LocalDate.of(2026, 1, 31)).a_b_3(Instant.EPOCH)
                                .getClass_2(Map.of("deep", List.of(1, true)))
                                .values_2(Shop.商品NewValues._u0022_x).tags(List.of(Shop.商品NewTags.値)));
                        var row = table.get(made.id());
                        var v = row.values();
                        var all = v.名前() + v.class_2() + v.a_b().get() + v.a_b_2().get() + v.a_b_3().get() + v.getClass_2().get()
                                + v.values_2() + v.tags().get() + v.no().isPresent() + v.who().isPresent() + v.files().isPresent();
                        table.create(Shop.商品New.of("b", BigDecimal.TEN), "key");
                        table.create(Shop.商品New.of("b", BigDecimal.TEN), "key");
                        table.update(row.id(), new Shop.商品New().a_b(null).class_2(new BigDecimal(7)), 1);
                        try {
                            table.update(row.id(), new Shop.商品New().a_b(true), 1);
                            all += "not refused";
                        } catch (Shop.HirobaException e) {
                            all += e.status() + e.code();
                        }
                        var found = table.query(new Shop.Query().where(Shop.and(
                                Shop.test("class", "gte", 7), Shop.not(Shop.test("a_b", "exists", null))))
                                .sort("class", true).count("exact"));
                        all += found.count().get();
                        all += table.all(new Shop.Query().limit(1)).map(each -> each.values().class_2().toString()).toList();
                        for (var each : table.list(10).items()) {
                            table.delete(each.id());
                        }
                        return all + table.list(10).items().size() + shop.row().list(1).items().size();
                    }
                }
                """);
        var classes = Files.createDirectory(home.resolve("classes"));
        assertThat(compiled(classes, made, use)).as(Files.readString(made)).isEmpty();
        try (var loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            var result = loader.loadClass("org.example.shop.Use")
                    .getMethod("run", String.class, String.class)
                    .invoke(null, server.url(), token);
            assertThat(result)
                    .isEqualTo("a \" \\ 😀\n1.50true2026-01-311970-01-01T00:00:00Z{deep=[1, true]}"
                            + "\"; */ \\u0022 `${x}`\u202e[値]truefalsefalse412records.other-version2[7, 10]00");
        }
    }

    @Test
    void aClientInTypeScriptCompilesAndWorks() throws Exception {
        generated("typescript", "shop.mts");
        Files.writeString(home.resolve("use.mts"), """
                import { Client, HirobaError } from "./shop.mjs";
                const client = new Client({ url: process.argv[2], token: process.argv[3] });
                const table = client.商品_new;
                const made = await table.create({ "名前": "a \\" 😀", class: 1.5, "a b": "2026-01-31", values: "on-sale", tags: ["値"] });
                const row = await table.get(made.id);
                const typed: "on sale" | string = row.values.values;
                let all = `${row.values["名前"]} ${row.values.class} ${row.values["a b"]} ${typed} ${row.values.tags} ${row.values.no !== undefined}`;
                await table.create({ "名前": "b", class: 2 }, "key2");
                await table.create({ "名前": "b", class: 2 }, "key2");
                await table.update(row.id, { "a b": null }, 1);
                try {
                  await table.update(row.id, { class: 3 }, 1);
                } catch (e) {
                  all += ` ${(e as HirobaError).code}`;
                }
                const page = await table.query({ where: { and: [{ attr: "class", op: "lt", value: 3 }, { not: { attr: "a b" , op: "exists" } }] },
                  sort: [{ attr: "class", dir: "desc" }], count: "exact" });
                all += ` ${page.count?.value} ${page.items[0].values.class}`;
                const names: number[] = [];
                for await (const each of table.all({ limit: 1, where: { attr: "class", op: "lt", value: 3 } })) {
                  names.push(each.values.class);
                }
                all += ` ${names}`;
                for (const each of (await table.list()).items) {
                  await table.delete(each.id);
                }
                // @ts-expect-error
                const wrong: Parameters<typeof table.create>[0] = { "名前": "no class" };
                // @ts-expect-error
                const other: typeof wrong = { "名前": "a", class: 1, values: "no option" };
                console.log(all + ` ${(await table.list()).items.length}`);
                """);
        Files.writeString(home.resolve("hostile.mts"), typescript());
        Assumptions.assumeTrue(
                run("npm", "install", "--silent", "--no-audit", "--no-fund", "typescript@5.9", "@types/node@22")
                                .code()
                        == 0,
                "npm cannot fetch the compiler");
        var checked = run(
                "node",
                "node_modules/typescript/bin/tsc",
                "--strict",
                "--target",
                "es2022",
                "--module",
                "nodenext",
                "use.mts",
                "hostile.mts");
        assertThat(checked.out()).isEmpty();
        var used = run("node", "use.mjs", server.url(), token);
        assertThat(used.out()).isEqualTo("a \" 😀 1.5 2026-01-31 on-sale 値 true records.other-version 2 2 1.5,2 0\n");
    }

    private record Ended(int code, String out) {}

    private Ended run(String... command) throws InterruptedException {
        try {
            var process = new ProcessBuilder(command)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .start();
            var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), out);
        } catch (IOException e) {
            return new Ended(-1, e.toString());
        }
    }

    /** Names that this server would refuse, and another might not. */
    private static List<ClientSchema> hostile() {
        var hostile = List.of(
                "__proto__",
                "constructor",
                "prototype",
                "\"; evil()",
                "*/ evil() /*",
                "`${evil()}`",
                "\\u0022",
                "\\",
                "a\nb",
                "\u2028",
                "\u202e",
                "",
                "1",
                "_",
                "class",
                "Class",
                "x".repeat(400),
                "值".repeat(100),
                "😀",
                "</script>",
                "@CLASS@",
                "%s%n",
                "$1",
                "null",
                "var",
                "then",
                "\ud800",
                "\0");
        var attributes = JsonMapper.shared().createArrayNode();
        for (var name : hostile) {
            attributes
                    .addObject()
                    .put("name", name)
                    .put("title", name)
                    .put("type", "text")
                    .put("format", name);
        }
        var options =
                attributes.addObject().put("name", "one of").put("type", "text").putArray("options");
        hostile.forEach(option -> options.addObject().put("value", option));
        return hostile.stream()
                .map(name -> ClientSchema.of(JsonMapper.shared()
                        .createObjectNode()
                        .put("name", name)
                        .<JsonNode>set("attributes", attributes)))
                .toList();
    }

    @Test
    void noNameBreaksOut() throws IOException {
        var java = JavaClient.of(runtime("client.java.txt"), "", "Hostile", "\"; evil()", hostile());
        var source = Files.writeString(home.resolve("Hostile.java"), java);
        assertThat(compiled(Files.createDirectory(home.resolve("hostile")), source)
                        .lines()
                        .limit(20))
                .isEmpty();
        for (var client : List.of(java, typescript())) {
            assertThat(client.lines()
                            .map(line -> line.replaceAll("\"[^\"]*\"", "").replaceAll("/\\*\\*[^*]*\\*/", "")))
                    .noneMatch(code -> code.matches(".*\\bevil\\(\\).*"));
        }
    }

    private static String typescript() throws IOException {
        return TypeScriptClient.of(runtime("client.ts"), "\"; evil()", hostile());
    }

    private static String runtime(String name) throws IOException {
        try (var resource = RecordsClientCommand.class.getResourceAsStream(name)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatCannotBeWrittenIsSaid() {
        assertThat(client.run("records", "client", "shop", "--language", "cobol")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("records", "client", "shop", "--language", "java", "-o", "my-shop.java")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("records", "client", "shop", "--language", "java", "--package", "a.class")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("records", "client", "nowhere", "--language", "java")
                        .code())
                .isEqualTo(Cli.FAILED);
        assertThat(client.run("records", "client", "shop", "--language", "java").out())
                .contains("public final class HirobaClient {");
    }
}
