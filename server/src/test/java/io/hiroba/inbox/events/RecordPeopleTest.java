package io.hiroba.inbox.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The inbox items of people who are put into records. */
@Tag("slow")
class RecordPeopleTest {

    private static Square square;

    @BeforeAll
    static void start() {
        square = new Square();
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void peopleInARecordAreNotifiedOnceIfTheyMayReadThat() {
        var owner = square.person("Owner");
        var ann = square.person("Ann");
        var ben = square.person("Ben");
        var project = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name': 'Jobs'}").text("id");
        for (var member : List.of(ann, ben)) {
            owner.api().put(project + "/members/" + member.id(), "{'role': 'viewer'}");
        }
        assertThat(owner.api().post(project + "/schemas", """
                        {'name': 'job', 'attributes': [{'name': 'title', 'type': 'text'},
                            {'name': 'lead', 'type': 'text', 'format': 'person'},
                            {'name': 'team', 'type': 'text', 'format': 'person', 'many': true},
                            {'name': 'auditor', 'type': 'text', 'format': 'person'}]}
                        """).outcome()).isEqualTo("201");
        owner.api().put(project + "/schemas/job/rules", "{'hidden': ['auditor']}");
        var path = project + "/records/job/"
                + owner.api()
                        .post(
                                project + "/records/job",
                                "{'title': 'Paint', 'lead': '%s', 'auditor': '%s'}".formatted(ann.id(), ben.id()))
                        .text("id");
        awaitItems(ann, 1);
        // Ann stays in it, in another place; Ben may not read that he is the auditor.
        owner.api().send("PATCH", path, "{'lead': null, 'team': ['%s']}".formatted(ann.id()));
        owner.api().send("PATCH", path, "{'auditor': '%s', 'title': 'Draw'}".formatted(owner.id()));
        awaitItems(owner, 1);
        assertThat(items(ben)).isZero();
        owner.api().send("PATCH", path, "{'team': ['%s', '%s']}".formatted(ben.id(), ann.id()));
        awaitItems(ben, 1);
        assertThat(items(ann)).isEqualTo(1);
        owner.api().send("PATCH", path, "{'team': ['%s']}".formatted(ben.id()));
        awaitItems(ann, 0);
        assertThat(items(ben)).isEqualTo(1);
    }

    private static void awaitItems(Person person, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(items(person)).isEqualTo(count));
    }

    /** How many items there are to do. */
    private static int items(Person person) {
        return person.api().get("/api/v1/inbox/counts").json().path("todo").asInt();
    }
}
