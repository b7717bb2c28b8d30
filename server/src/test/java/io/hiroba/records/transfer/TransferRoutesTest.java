package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Imports and exports over HTTP, against a whole server. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class TransferRoutesTest {

    private final TestServer server = TestServer.start("--http.rate-limit.enabled=false");
    private final ApiClient anonymous =
            ApiClient.anonymous(URI.create(server.url()).getPort());
    private final ApiClient admin = signedIn(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);

    @AfterAll
    void close() {
        server.close();
    }

    private ApiClient signedIn(String email, String password) {
        var session = anonymous.post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(email, password));
        return anonymous.cookie(session.cookie());
    }

    private record Person(String id, ApiClient api) {}

    private Person person(String name) {
        var email = name + "@square.example";
        var made = admin.post(
                "/api/v1/users", "{'email':'%s','nickname':'%s','password':'a long password'}".formatted(email, name));
        return new Person(made.text("id"), signedIn(email, "a long password"));
    }

    /** The address of a new project of {@code owner} with the schema {@code item}. */
    private static String project(Person owner) {
        var made = owner.api().post("/api/v1/projects", "{'name':'shop'}");
        var path = "/api/v1/projects/" + made.text("id");
        var schema = owner.api().post(path + "/schemas", """
                {'name':'item','attributes':[{'name':'name','type':'text'},{'name':'price','type':'numeric'},
                 {'name':'secret','type':'text'}]}""");
        assertThat(schema.status()).isEqualTo(201);
        return path;
    }

    private static String create(ApiClient api, String project) {
        var made = api.post(project + "/imports", "{'schema':'item','format':'csv','onError':'skip'}");
        assertThat(made.outcome()).isEqualTo("201");
        assertThat(made.header("Location")).isEqualTo(project + "/imports/" + made.text("id"));
        return made.header("Location");
    }

    private static ApiClient.Reply patch(ApiClient api, String path, long offset, String text) {
        return api.with("Upload-Offset", Long.toString(offset))
                .sendAs("application/octet-stream", "PATCH", path + "/content", text);
    }

    private static void importing(ApiClient api, String project, String csv) {
        var one = create(api, project);
        assertThat(api.sendAs("text/csv", "PUT", one + "/content", csv).status())
                .isEqualTo(204);
        assertThat(api.post(one + "/start", "").status()).isEqualTo(202);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> api.get(one).text("state").equals("done"));
    }

    @Test
    void cellsMayBeWrittenInTheFormatOfTheirAttribute() {
        var owner = person("formats");
        var project = project(owner);
        for (var format :
                List.of("{'format':'duration'}", "{'format':'currency','currency':'JPY'}", "{'format':'percent'}")) {
            assertThat(owner.api()
                            .send("PATCH", project + "/schemas/item/attributes/price", format)
                            .status())
                    .isEqualTo(200);
            var cell = switch (format) {
                case "{'format':'duration'}" -> "2:05";
                case "{'format':'percent'}" -> "125%";
                default -> "\"￥1,000\"";
            };
            importing(owner.api(), project, "name,price\nOx," + cell + "\n");
        }
        assertThat(owner.api().get(project + "/exports/item").body())
                .isEqualTo("name,price,secret\nOx,125,\nOx,1000,\nOx,125,\n");
    }

    @Test
    void thoseWhoBeginSeveralAtOnceGetNoMoreThanTheyMay() {
        var owner = person("several");
        var imports = project(owner) + "/imports";
        var outcomes = new ConcurrentLinkedQueue<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2 * Imports.MAX_UNFINISHED; i++) {
                threads.submit(() -> outcomes.add(owner.api()
                        .post(imports, "{'schema':'item','format':'csv'}")
                        .outcome()));
            }
        }
        assertThat(outcomes)
                .hasSize(2 * Imports.MAX_UNFINISHED)
                .filteredOn("201"::equals)
                .hasSize(Imports.MAX_UNFINISHED);
    }

    @Test
    void optionsOfListsStandInOneCell() {
        var owner = person("lists");
        var project = owner.api().post("/api/v1/projects", "{'name':'lists'}").text("id");
        var path = "/api/v1/projects/" + project;
        var made = owner.api().post(path + "/schemas", """
                {'name':'item','attributes':[{'name':'tags','type':'multi_select','enum':['a','b','c, d']}]}""");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        importing(owner.api(), path, "tags\n\"b, a\"\na、b\n\"[\"\"c, d\"\",\"\"a\"\"]\"\nx\n");
        assertThat(owner.api().get(path + "/exports/item").body())
                .isEqualTo("tags\n\"b, a\"\n\"a, b\"\n\"[\"\"c, d\"\",\"\"a\"\"]\"\n");
        assertThat(owner.api().get(path + "/exports/item?format=jsonl").body()).startsWith("{\"tags\":[\"b\",\"a\"]}");
        assertThat(owner.api()
                        .get(path + "/records/item?tags=a")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(3);
        assertThat(owner.api()
                        .get(path + "/records/item?tags.hasAll=a,b&order=createdAt")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(2);
        assertThat(owner.api().get(path + "/records/item?order=tags").outcome()).isEqualTo("400 records.invalid");
    }

    @Test
    void peopleAreNamedInFilesAsTheImporterMaySeeThem() {
        var owner = person("chief");
        var ann = person("mate");
        person("stranger");
        var project = owner.api().post("/api/v1/projects", "{'name':'people'}").text("id");
        var path = "/api/v1/projects/" + project;
        owner.api().put(path + "/members/" + ann.id(), "{'role': 'editor'}");
        var made = owner.api().post(path + "/schemas", """
                {'name':'item','attributes':[{'name':'lead','type':'text','format':'person'},
                 {'name':'team','type':'text','format':'person','many':true}]}""");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        // Of the addresses only one's own; neither those of members nor whether a stranger has one is told.
        importing(
                owner.api(),
                path,
                "lead,team\n@Mate,\"chief, %s\"\nchief@square.example,\nmate@square.example,\nstranger,\n"
                        .formatted(ann.id()));
        assertThat(owner.api().get(path + "/exports/item").body())
                .isEqualTo("lead,team\n%1$s,\"%2$s, %1$s\"\n%2$s,\n".formatted(ann.id(), owner.id()));
        var named = owner.api().get(path + "/exports/item?displayNames=true").body();
        assertThat(named)
                .isEqualTo("lead,_lead,team,_team\n%1$s,mate,\"%2$s, %1$s\",\"chief, mate\"\n%2$s,chief,,\n"
                        .formatted(ann.id(), owner.id()));
        importing(owner.api(), path, named);
        var mine = ann.api().get(path + "/records/item?team=me");
        assertThat(mine.json().path("items").size()).as(mine.body()).isEqualTo(2);
        assertThat(owner.api()
                        .get(path + "/records/item?lead=me")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void noTwoColumnsOfAnExportAreCalledTheSame() {
        var owner = person("namesakes");
        var path = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name':'same'}").text("id");
        assertThat(owner.api().post(path + "/schemas", """
                {'name':'item','attributes':[{'name':'id','type':'text','format':'person'},{'name':'of','type':'text','format':'person'}]}""").status()).isEqualTo(201);
        assertThat(owner.api()
                        .get(path + "/exports/item?displayNames=true&ids=true")
                        .body())
                .isEqualTo("_id,id,of,_of\n");
        assertThat(owner.api().get(path + "/exports/item?displayNames=true").body())
                .isEqualTo("id,_id,of,_of\n");
    }

    @Test
    void aFileIsSentInPartsAndImported() {
        var owner = person("parts");
        var project = project(owner);
        var one = create(owner.api(), project);
        assertThat(patch(owner.api(), one, 0, "name,price\nOx,1").status()).isEqualTo(204);
        assertThat(owner.api().send("HEAD", one + "/content", "").header("Upload-Offset"))
                .isEqualTo("15");
        var wrong = patch(owner.api(), one, 14, "x");
        assertThat(wrong.outcome()).isEqualTo("409 records.wrong-offset");
        assertThat(patch(owner.api(), one, 15, "\nCow,2\nbad,x\n").header("Upload-Offset"))
                .isEqualTo("28");

        var preview = owner.api().post(one + "/preview", "");
        assertThat(preview.json().path("errors").path(0).path("line").asInt(0)).isEqualTo(4);
        assertThat(preview.json().path("columns").path(1).path("inferred").asString(""))
                .isEqualTo("text");

        assertThat(owner.api().post(one + "/start", "").status()).isEqualTo(202);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> owner.api().get(one).text("state").equals("done"));
        var done = owner.api().get(one).json();
        assertThat(done.path("rows").asInt(0)).isEqualTo(2);
        assertThat(done.path("errorLines").asInt(0)).isEqualTo(1);
        assertThat(done.path("percent").asInt(0)).isEqualTo(100);
        assertThat(done.path("errors").path(0).path("message").asString("")).isEqualTo("must be a number");
        var japanese = owner.api().with("Accept-Language", "ja");
        assertThat(japanese.get(one).json().at("/errors/0/message").asString(""))
                .isEqualTo("数値を指定してください");
        assertThat(patch(owner.api(), one, 28, "x").outcome()).isEqualTo("409 records.import-state");
        assertThat(owner.api().get(project + "/imports").json().path("items")).hasSize(1);
    }

    @Test
    void whatIsNotAskedForRightlyIsRefused() {
        var owner = person("refused");
        var project = project(owner);
        var imports = project + "/imports";
        assertThat(owner.api().post(imports, "{'schema':'item','format':'xls'}").outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api()
                        .post(imports, "{'schema':'item','format':'csv','delimiter':'ab'}")
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api()
                        .post(imports, "{'schema':'item','format':'csv','timeZone':'Mars'}")
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api()
                        .post(imports, "{'schema':'item','format':'csv','size':9999999999999}")
                        .outcome())
                .isEqualTo("413 records.import-too-large");
        assertThat(owner.api().post(imports, "{'schema':'none','format':'csv'}").outcome())
                .isEqualTo("404 records.no-schema");
        var sized = owner.api()
                .post(imports, "{'schema':'item','format':'csv','size':5}")
                .header("Location");
        assertThat(owner.api().post(sized + "/start", "").outcome()).isEqualTo("409 records.import-incomplete");
        assertThat(patch(owner.api(), sized, 0, "123456").outcome()).isEqualTo("413 records.import-too-large");
        assertThat(owner.api()
                        .sendAs("text/csv", "PATCH", sized + "/content", "x")
                        .outcome())
                .isEqualTo("400 records.invalid");
        var broken = owner.api()
                .post(imports, "{'schema':'item','format':'csv','size':12}")
                .header("Location");
        patch(owner.api(), broken, 0, "name,\"price\n");
        assertThat(owner.api().post(broken + "/preview", "").outcome()).isEqualTo("422 records.broken-content");
        assertThat(owner.api().get(broken).text("state")).isEqualTo("failed");
        for (var option : List.of(
                "'encoding':'klingon'",
                "'dates':'year-first'",
                "'durations':'days'",
                "'decimal':'dot'",
                "'headerRow':0")) {
            assertThat(owner.api()
                            .post(imports, "{'schema':'item','format':'csv',%s}".formatted(option))
                            .outcome())
                    .isEqualTo("400 records.invalid");
        }
        assertThat(owner.api().get(project + "/exports/item?format=xls").outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api().get(project + "/exports/none").outcome()).isEqualTo("404 records.no-schema");
        assertThat(anonymous.get(project + "/exports/item").status()).isEqualTo(401);
    }

    @Test
    void onlyEditorsImportAndOnlyTheirOwn() {
        var owner = person("owner1");
        var viewer = person("viewer1");
        var stranger = person("stranger1");
        var project = project(owner);
        owner.api().put(project + "/members/" + viewer.id(), "{'role':'viewer'}");
        var one = create(owner.api(), project);
        assertThat(viewer.api()
                        .post(project + "/imports", "{'schema':'item','format':'csv'}")
                        .outcome())
                .isEqualTo("403 records.editors-only");
        assertThat(viewer.api().get(one).outcome()).isEqualTo("404 records.no-import");
        assertThat(stranger.api().get(one).outcome()).isEqualTo("404 records.no-project");
        var other = project(stranger);
        var moved = one.replace(project, other);
        assertThat(stranger.api().get(moved).outcome()).isEqualTo("404 records.no-import");
        assertThat(patch(stranger.api(), moved, 0, "name\n").outcome()).isEqualTo("404 records.no-import");
        assertThat(stranger.api().post(moved + "/cancel", "").outcome()).isEqualTo("404 records.no-import");
        owner.api().put(project + "/members/" + viewer.id(), "{'role':'editor'}");
        assertThat(patch(viewer.api(), one, 0, "name\n").outcome()).isEqualTo("404 records.no-import");
    }

    @Test
    void everybodyExportsWhatTheySee() {
        var owner = person("exports");
        var editor = person("exported");
        var project = project(owner);
        owner.api().put(project + "/members/" + editor.id(), "{'role':'viewer'}");
        importing(owner.api(), project, "name,price,secret\n\"a, \"\"b\"\"\",1.50,s1\n=1+1,-2,s2\n,3,\n");
        assertThat(owner.api()
                        .get(project + "/exports/item?order=price&raw=true")
                        .body())
                .isEqualTo("name,price,secret\n=1+1,-2,s2\n\"a, \"\"b\"\"\",1.50,s1\n,3,\n");
        assertThat(owner.api()
                        .get(project + "/exports/item?price.gte=0&order=-price&select=price")
                        .body())
                .isEqualTo("price\n3\n1.50\n");
        assertThat(owner.api().get(project + "/exports/item?price=-2").body())
                .isEqualTo("name,price,secret\n'=1+1,-2,s2\n");
        assertThat(owner.api()
                        .get(project + "/exports/item?format=jsonl&price=3")
                        .body())
                .isEqualTo("{\"price\":3}\n");
        assertThat(owner.api()
                        .get(project + "/exports/item?format=jsonl&price=3&ids=true")
                        .body())
                .startsWith("{\"_id\":\"0");

        var rules = owner.api().put(project + "/schemas/item/rules", "{'hidden':['secret']}");
        assertThat(rules.status()).isLessThan(300);
        assertThat(editor.api().get(project + "/exports/item?price=3").body()).isEqualTo("name,price\n,3\n");
        assertThat(editor.api().get(project + "/exports/item?secret=s1").outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api().get(project + "/exports/item?price=3").header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"item.csv\"");
    }

    @Test
    void formulasAreEscapedInAFileAndThereAgainAfterItsImport() {
        var owner = person("formulas");
        var project = project(owner);
        var texts = List.of(
                "=1+1",
                "+1",
                "-1",
                "@SUM(A1)",
                "\tx",
                "\rx",
                "'=1",
                "''=1",
                "'plain",
                "a=b",
                "＝1",
                "=cmd|' /C calc'!A0");
        for (var text : texts) {
            var made = owner.api()
                    .sendAs("application/json", "POST", project + "/records/item", Json.text(Map.of("name", text)));
            assertThat(made.status()).as(made.body()).isEqualTo(201);
        }
        var file = owner.api().get(project + "/exports/item?select=name,price").body();
        assertThat(file.lines().skip(1)).noneMatch(line -> line.matches("\"?[=+\\-@\t\r＝].*"));
        var copy = project(owner);
        importing(owner.api(), copy, file);
        assertThat(owner.api()
                        .get(copy + "/exports/item?select=name,price&raw=true")
                        .body())
                .isEqualTo(owner.api()
                        .get(project + "/exports/item?select=name,price&raw=true")
                        .body())
                .contains("\n=1+1,\n", "\n'=1,\n", "\n''=1,\n");
    }

    @Test
    void anExportGoesOnOverManyPages() {
        var owner = person("pages");
        var project = project(owner);
        var csv = new StringBuilder("name,price\n");
        for (int i = 0; i < 1700; i++) {
            csv.append("x,").append(i % 100).append('\n');
        }
        importing(owner.api(), project, csv.toString());
        var lines = owner.api()
                .get(project + "/exports/item?order=price,-createdAt&ids=true")
                .body()
                .lines()
                .toList();
        assertThat(lines).hasSize(1701).doesNotHaveDuplicates();
    }
}
