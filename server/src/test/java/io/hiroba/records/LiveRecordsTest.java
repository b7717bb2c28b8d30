package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Open grids are told of changes and cursors, each reader of what they may read. */
class LiveRecordsTest {

    private static Square square;
    private static Person owner;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Olive");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void changesAreToldToThoseWhoMayReadTheRecord() {
        var project = project();
        var path = "/api/v1/projects/" + project;
        var editor = member(project, "Edda");
        owner.api().put(path + "/schemas/task/rules", "{\"ownRowsOnly\": true, \"hidden\": [\"cost\"]}");
        try (var theirs = editor.api().stream(stream(project));
                var all = owner.api().stream(stream(project))) {
            theirs.await("count");
            all.await("count");
            var hidden = owner.api()
                    .post(path + "/records/task", "{\"title\": \"secret\"}")
                    .text("id");
            assertThat(all.await("record").json().at("/rows/0/id").asString()).isEqualTo(hidden);
            owner.api().delete(path + "/records/task/" + hidden);
            assertThat(all.await("record", 2).json().at("/deleted/0").asString())
                    .isEqualTo(hidden);
            var own = editor.api()
                    .post(path + "/records/task", "{\"title\": \"mine\"}")
                    .text("id");
            var told = theirs.await("record").json();
            assertThat(told.at("/rows/0/id").asString()).isEqualTo(own);
            assertThat(told.at("/rows/0/version").intValue()).isOne();
            assertThat(theirs.messages("record")).hasSize(1);
        }
    }

    @Test
    void cursorsAreToldToThoseWhoMayReadTheCell() {
        var project = project();
        var path = "/api/v1/projects/" + project;
        var page = "/records/" + project + "/task/presence";
        var viewer = member(project, "Vic");
        owner.api().put(path + "/schemas/task/rules", "{\"hidden\": [\"cost\"]}");
        var task = owner.api()
                .post(path + "/records/task", "{\"title\": \"open\", \"cost\": 3}")
                .text("id");
        try (var stream = viewer.api().stream(stream(project))) {
            stream.await("count");
            assertThat(at(owner, page, "aaaaaaaaaaaaaaaa", task, "cost")).isEqualTo(204);
            assertThat(at(owner, page, "aaaaaaaaaaaaaaaa", task, "title")).isEqualTo(204);
            var seen = stream.await("presence").json();
            assertThat(seen.path("nickname").asString()).isEqualTo("Olive");
            assertThat(seen.path("attribute").asString()).isEqualTo("title");
            assertThat(seen.path("row").asString()).isEqualTo(task);
            owner.api().post(page, "{\"session\": \"aaaaaaaaaaaaaaaa\"}");
            assertThat(stream.await("presence", 2).json().has("row")).isFalse();
            owner.api().delete(path + "/records/task/" + task);
            assertThat(at(owner, page, "aaaaaaaaaaaaaaaa", task, "title")).isEqualTo(204);
            assertThat(stream.await("presence", 3).json().has("row")).isFalse();
        }
        assertThat(at(square.person("Stan"), page, "bbbbbbbbbbbbbbbb", task, "title"))
                .isEqualTo(404);
    }

    @Test
    void manyChangesAreToldAsMany() {
        var project = project();
        try (var stream = owner.api().stream(stream(project))) {
            stream.await("count");
            var rows = "{\"title\": \"one\"},".repeat(150) + "{\"title\": \"last\"}";
            var made = owner.api().post("/api/v1/projects/" + project + "/records/task", "[" + rows + "]");
            assertThat(made.status()).as(made.body()).isEqualTo(201);
            assertThat(stream.await("record").json().path("many").asBoolean()).isTrue();
        }
    }

    @Test
    void aStreamOfAProjectOfOthersTellsNothingOfIt() {
        var project = project();
        var stranger = square.person("Stan");
        try (var stream = stranger.api().stream(stream(project))) {
            stream.await("count");
            owner.api().post("/api/v1/projects/" + project + "/records/task", "{\"title\": \"secret\"}");
            owner.api().post("/api/v1/projects/" + project + "/records/task", "{\"title\": \"secret\"}");
            try (var own = owner.api().stream(stream(project))) {
                own.await("count");
                owner.api().post("/api/v1/projects/" + project + "/records/task", "{\"title\": \"secret\"}");
                own.await("record");
            }
            assertThat(stream.messages("record")).isEmpty();
        }
    }

    private static int at(Person person, String page, String session, String row, String attribute) {
        return person.api()
                .post(
                        page,
                        "{\"session\": \"%s\", \"row\": \"%s\", \"attribute\": \"%s\"}"
                                .formatted(session, row, attribute))
                .status();
    }

    private static String stream(String project) {
        return "/api/v1/stream?records=" + project + "/task";
    }

    private static String project() {
        var project =
                owner.api().post("/api/v1/projects", "{\"name\": \"Desk\"}").text("id");
        var schema = owner.api()
                .post(
                        "/api/v1/projects/" + project + "/schemas",
                        "{\"name\": \"task\", \"attributes\": [{\"name\": \"title\", \"type\": \"text\"}, {\"name\": \"cost\", \"type\": \"numeric\"}]}");
        assertThat(schema.status()).as(schema.body()).isEqualTo(201);
        return project;
    }

    private static Person member(String project, String nickname) {
        var person = square.person(nickname);
        var added =
                owner.api().put("/api/v1/projects/" + project + "/members/" + person.id(), "{\"role\": \"editor\"}");
        assertThat(added.status()).as(added.body()).isBetween(200, 204);
        return person;
    }
}
