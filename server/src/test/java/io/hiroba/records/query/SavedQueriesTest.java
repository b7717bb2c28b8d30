package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import tools.jackson.databind.JsonNode;

/** Saved queries over HTTP and what their owners are told, against a whole server. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class SavedQueriesTest {

    private final TestServer server =
            TestServer.start("--http.rate-limit.enabled=false", "--accounts.limits.log-ins-per-minute=10000");
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

    /** A project of {@code owner} with tasks, in which {@code editor} writes. */
    private static String project(Person owner, Person editor) {
        var path = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name':'work'}").text("id");
        owner.api().post(path + "/schemas", """
                {'name':'task','attributes':[{'name':'title','type':'text'},{'name':'assignee','type':'text'},
                 {'name':'state','type':'text'}]}""");
        assertThat(owner.api()
                        .put(path + "/members/" + editor.id(), "{'role':'editor'}")
                        .status())
                .isEqualTo(204);
        return path;
    }

    private static final String MINE = """
            {'name':'Assigned to me','notify':true,'shared':true,'query':{'schema':'task','where':{'and':[
             {'attr':'assignee','op':'eq','value':{'caller':'id'}},{'attr':'state','op':'ne','value':'done'}]},
             'sort':[{'attr':'title'}]}}""";

    private static String task(Person writer, String project, String title, String assignee) {
        var made = writer.api()
                .post(
                        project + "/records/task",
                        "{'title':'%s','assignee':'%s','state':'open'}".formatted(title, assignee));
        assertThat(made.outcome()).isEqualTo("201");
        return made.text("id");
    }

    /** The events for {@code person} of {@code project}, once the consumer has seen all that happened until now. */
    private List<JsonNode> told(Person person, String project) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> waiting() == 0);
        return server.database()
                .db()
                .read(reads -> reads.query("""
                        SELECT payload FROM platform.event_logs
                        WHERE payload ->> 'type' = 'record-matched' AND payload ->> 'projectId' = :project
                          AND EXISTS (
                              SELECT FROM records.saved_queries AS q
                              WHERE q.owner = :owner AND lpad(upper(to_hex(q.id)), 16, '0') = payload ->> 'queryId')
                        ORDER BY event_id
                        """)
                        .bind("project", project.substring("/api/v1/projects/".length()))
                        .bind("owner", Long.parseUnsignedLong(person.id(), 16))
                        .map(row -> Json.mapper().readTree(row.getString("payload")))
                        .list());
    }

    private int waiting() {
        return server.database()
                .db()
                .read(reads -> reads.query("""
                        SELECT count(*) FROM platform.event_logs e
                        JOIN platform.event_log_cursors c ON c.partition_id = e.partition_id
                        WHERE c.consumer = 'saved-queries' AND e.event_id > c.last_event_id
                          AND e.payload ->> 'type' LIKE 'record%'
                        """).mapTo(Integer.class).one());
    }

    @Test
    void aQueryGoesOnWhenWhatItNamesIsRenamed() {
        var owner = person("namer");
        var editor = person("named");
        var project = project(owner, editor);
        owner.api().post(project + "/schemas", """
                {'name':'step','attributes':[{'name':'of','type':'text','references':'task'},{'name':'no','type':'numeric'}]}""");
        var mine = owner.api().post(project + "/saved-queries", MINE).text("id");
        var steps = owner.api().post(project + "/saved-queries", """
                {'name':'Steps','query':{'schema':'step','where':{'not':{'attr':'of.state','value':'done'}},
                 'select':['of.title','no'],'sort':[{'attr':'no','dir':'desc'}]}}""").text("id");
        var row = task(editor, project, "before", owner.id());
        assertThat(owner.api()
                        .post(project + "/records/step", "{'of':'%s','no':1}".formatted(row))
                        .outcome())
                .isEqualTo("201");
        for (var change : List.of("assignee 担当者", "state 状態", "title 件名")) {
            var names = change.split(" ");
            assertThat(owner.api()
                            .send(
                                    "PATCH",
                                    project + "/schemas/task/attributes/" + names[0],
                                    "{'name':'%s'}".formatted(names[1]))
                            .outcome())
                    .isEqualTo("200");
        }
        owner.api().send("PATCH", project + "/schemas/step/attributes/of", "{'name':'作業'}");
        owner.api().send("PATCH", project + "/schemas/task", "{'name':'タスク'}");
        task(editor, project, "after", owner.id());
        assertThat(told(owner, project)).hasSize(2);
        // As they are when former names lead nowhere any more.
        server.database()
                .db()
                .useTransaction(
                        tx -> tx.update("DELETE FROM records.former_names").execute());
        assertThat(owner.api()
                        .get(project + "/saved-queries/" + mine)
                        .json()
                        .path("query")
                        .toString())
                .contains("\"schema\":\"タスク\"", "\"attr\":\"担当者\"", "\"attr\":\"状態\"", "\"attr\":\"件名\"");
        assertThat(owner.api()
                        .get(project + "/saved-queries/" + mine + "/records")
                        .json()
                        .path("items"))
                .hasSize(2);
        assertThat(owner.api()
                        .get(project + "/saved-queries/" + steps + "/records")
                        .json()
                        .path("items")
                        .toString())
                .contains("\"作業.件名\":\"before\"");
    }

    @Test
    void aQueryIsKeptSharedRunAndDeleted() {
        var owner = person("keeper");
        var editor = person("sharer");
        var project = project(owner, editor);
        task(editor, project, "theirs", owner.id());
        task(editor, project, "mine", editor.id());
        var made = owner.api().post(project + "/saved-queries", MINE);
        assertThat(made.outcome()).isEqualTo("201");
        var one = made.header("Location");
        assertThat(one).isEqualTo(project + "/saved-queries/" + made.text("id"));

        // The same question finds other records for another.
        assertThat(owner.api()
                        .get(one + "/records")
                        .json()
                        .path("items")
                        .path(0)
                        .path("values")
                        .path("title")
                        .asString(""))
                .isEqualTo("theirs");
        assertThat(editor.api()
                        .get(one + "/records")
                        .json()
                        .path("items")
                        .path(0)
                        .path("values")
                        .path("title")
                        .asString(""))
                .isEqualTo("mine");
        assertThat(editor.api()
                        .get(project + "/saved-queries")
                        .json()
                        .path("items")
                        .path(0)
                        .path("mine")
                        .asBoolean(true))
                .isFalse();
        assertThat(editor.api().delete(one).outcome()).isEqualTo("403 records.not-your-query");
        assertThat(editor.api().put(one, MINE).outcome()).isEqualTo("403 records.not-your-query");

        var changed = owner.api().put(one, "{'name':'All','query':{'schema':'task'}}");
        assertThat(changed.json().path("notify").asBoolean(true)).isFalse();
        assertThat(editor.api().get(one).outcome()).isEqualTo("404 records.no-saved-query");
        assertThat(owner.api().get(one + "/records").json().path("items")).hasSize(2);
        assertThat(owner.api().delete(one).status()).isEqualTo(204);
        assertThat(owner.api().get(one).outcome()).isEqualTo("404 records.no-saved-query");
    }

    @Test
    void everyDigitOfANumberIsComparedWith() {
        var owner = person("exact");
        var project = project(owner, person("inexact"));
        owner.api().post(project + "/schemas", "{'name':'sum','attributes':[{'name':'n','type':'numeric'}]}");
        owner.api().post(project + "/records/sum", "[{'n':12345678901234567.89},{'n':12345678901234567.88}]");
        var question = "{'schema':'sum','where':{'attr':'n','op':'eq','value':12345678901234567.89}}";
        assertThat(owner.api().post(project + "/query", question).json().path("items"))
                .hasSize(1);
        assertThat(owner.api()
                        .post(
                                project + "/aggregate",
                                "{'schema':'sum','where':{'attr':'n','op':'eq','value':12345678901234567.89}}")
                        .json()
                        .path("items")
                        .path(0)
                        .path("values")
                        .path("count")
                        .asInt(0))
                .isEqualTo(1);
        var saved = owner.api().post(project + "/saved-queries", "{'name':'exact','query':%s}".formatted(question));
        assertThat(owner.api().get(saved.header("Location") + "/records").json().path("items"))
                .hasSize(1);
    }

    @Test
    void aNewNameForgetsNothing() {
        var owner = person("renamer");
        var editor = person("renamed");
        var project = project(owner, editor);
        var one = owner.api().post(project + "/saved-queries", MINE).header("Location");
        task(editor, project, "new", owner.id());
        assertThat(owner.api().put(one, MINE.replace("Assigned to me", "Mine")).status())
                .isEqualTo(200);
        assertThat(told(owner, project)).hasSize(1);
    }

    @Test
    void aNewConditionForgetsWhatMatchedTheOldOne() {
        var owner = person("changer");
        var editor = person("writer");
        var project = project(owner, editor);
        var one = owner.api().post(project + "/saved-queries", MINE).header("Location");
        var row = task(editor, project, "new", owner.id());
        assertThat(told(owner, project)).hasSize(1);
        var done = """
                {'name':'Done','notify':true,'query':{'schema':'task',
                 'where':{'attr':'state','op':'eq','value':'done'}}}""";
        assertThat(owner.api().put(one, done).status()).isEqualTo(200);
        assertThat(editor.api()
                        .send("PATCH", project + "/records/task/" + row, "{'state':'done'}")
                        .status())
                .isEqualTo(200);
        assertThat(told(owner, project)).hasSize(2);
    }

    @Test
    void oneMemberKeepsSoManyAndNoMore() {
        var owner = person("collector");
        var project = project(owner, person("visitor"));
        var saved = project + "/saved-queries";
        server.database()
                .db()
                .useTransaction(tx -> tx.update("""
                INSERT INTO records.saved_queries (id, project_id, owner, schema_id, name, query)
                SELECT n, :project, :owner, 1, 'n', '{"schema":"task"}' FROM generate_series(1, 199) AS n
                """)
                        .bind("project", Long.parseUnsignedLong(project.substring("/api/v1/projects/".length()), 16))
                        .bind("owner", Long.parseUnsignedLong(owner.id(), 16))
                        .execute());
        var outcomes = new ConcurrentLinkedQueue<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                threads.submit(() -> outcomes.add(owner.api().post(saved, MINE).outcome()));
            }
        }
        assertThat(outcomes).hasSize(6).containsOnlyOnce("201").containsOnly("201", "409 records.too-many-queries");
    }

    @Test
    void whatCannotBeAskedIsNotKept() {
        var owner = person("asker");
        var project = project(owner, person("asked"));
        var saved = project + "/saved-queries";
        assertThat(owner.api()
                        .post(saved, "{'name':'x','query':{'schema':'none'}}")
                        .outcome())
                .isEqualTo("404 records.no-schema");
        assertThat(owner.api()
                        .post(saved, "{'name':'','query':{'schema':'task'}}")
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api()
                        .post(saved, "{'name':'x','query':{'schema':'task','where':{'attr':'colour','value':'red'}}}")
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(owner.api()
                        .post(
                                saved,
                                "{'name':'x','query':{'schema':'task','where':{'attr':'title','value':{'caller':'password'}}}}")
                        .outcome())
                .isEqualTo("400 records.invalid");
        assertThat(person("outsider").api().get(saved).outcome()).isEqualTo("404 records.no-project");
    }

    @Test
    void itsOwnerIsToldOnceOfARecordThatBeginsToMatch() {
        var owner = person("told");
        var editor = person("teller");
        var project = project(owner, editor);
        var before = task(editor, project, "before", owner.id());
        owner.api().post(project + "/saved-queries", MINE);
        var task = task(editor, project, "new", editor.id());
        assertThat(told(owner, project)).isEmpty();

        var path = project + "/records/task/";
        editor.api().send("PATCH", path + task, "{'assignee':'%s'}".formatted(owner.id()));
        assertThat(told(owner, project)).singleElement().satisfies(event -> {
            assertThat(event.path("rowId").asString("")).isEqualTo(task);
            assertThat(event.path("name").asString("")).isEqualTo("Assigned to me");
            assertThat(event.path("schema").asString("")).isEqualTo("task");
        });
        // Still matching, and one that matched when the query was saved.
        editor.api().send("PATCH", path + task, "{'title':'newer'}");
        editor.api().send("PATCH", path + before, "{'title':'other'}");
        assertThat(told(owner, project)).hasSize(1);
        // Done, and open again.
        editor.api().send("PATCH", path + task, "{'state':'done'}");
        assertThat(told(owner, project)).hasSize(1);
        editor.api().send("PATCH", path + task, "{'state':'open'}");
        assertThat(told(owner, project)).hasSize(2);
        // Their own doing is no news.
        task(owner, project, "own", owner.id());
        assertThat(told(owner, project)).hasSize(2);
    }

    @Test
    void nobodyIsToldOfWhatTheyDoNotSee() {
        var owner = person("seer");
        var editor = person("blind");
        var project = project(owner, editor);
        assertThat(owner.api()
                        .put(project + "/schemas/task/rules", "{'ownRowsOnly':true}")
                        .status())
                .isLessThan(300);
        assertThat(editor.api().post(project + "/saved-queries", MINE).outcome())
                .isEqualTo("201");
        task(owner, project, "hidden", editor.id());
        assertThat(told(editor, project)).isEmpty();
    }

    @Test
    void whatAnImportBringsIsToldOfToo() {
        var owner = person("imported");
        var editor = person("importer");
        var project = project(owner, editor);
        owner.api().post(project + "/saved-queries", MINE);
        var one = editor.api()
                .post(project + "/imports", "{'schema':'task','format':'csv'}")
                .header("Location");
        editor.api().sendAs("text/csv", "PUT", one + "/content", """
                title,assignee,state
                a,%1$s,open
                b,%2$s,open
                c,%1$s,done
                """.formatted(owner.id(), editor.id()));
        editor.api().post(one + "/start", "");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> editor.api().get(one).text("state").equals("done"));
        assertThat(told(owner, project)).hasSize(1);
    }

    @Test
    void sharedQueriesOfWhoLeavesAreAnOwnersThen() {
        var owner = person("stays");
        var editor = person("leaves");
        var project = project(owner, editor);
        editor.api().post(project + "/saved-queries", MINE);
        editor.api().post(project + "/saved-queries", MINE.replace("'shared':true", "'shared':false"));
        editor.api().delete(project + "/members/" + editor.id());
        var left = owner.api().get(project + "/saved-queries").json().path("items");
        assertThat(left.findValuesAsString("ownerId")).containsExactly(owner.id());
        assertThat(left.at("/0/notify").booleanValue()).isFalse();
    }
}
