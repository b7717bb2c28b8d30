package io.hiroba.inbox.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.Action;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.Ids;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What our own events give people, through the event log of a whole server. */
@SuppressWarnings("NullAway.Init") // JUnit starts the server before any test
@Tag("slow")
class HirobaEventsTest {

    private static final String PROJECTS = "/api/v1/projects";

    private static Square square;
    private static Db db;

    @BeforeAll
    static void start() {
        square = new Square();
        db = Db.open(square.server.database().config());
    }

    @AfterAll
    static void stop() {
        db.close();
        square.close();
    }

    @Test
    void operatorsAreNotifiedOfAStuckSagaUntilItContinues() {
        var operator = square.person("Operator");
        var auditor = square.person("Auditor");
        grant(operator, "operator");
        grant(auditor, "auditor");
        var saga = UUID.randomUUID();
        try (var stream = operator.api().stream("/api/v1/stream")) {
            stream.await("inbox");
            appendSagaEvent("saga-stuck", saga, "COMPENSATING");
            awaitItems(operator, "saga_stuck todo book-trip o-1: sold out stuck /sagas/" + saga);
            assertThat(stream.await("inbox", 2).data())
                    .isEqualTo("{\"todo\":1,\"snoozed\":0,\"saved\":0,\"done\":0,\"unread\":1}");
        }
        appendSagaEvent("saga-resumed", saga, "COMPENSATING");
        awaitItems(operator, "saga_stuck done book-trip o-1 compensating /sagas/" + saga);
        appendSagaEvent("saga-stuck", saga, "COMPENSATING");
        awaitItems(
                operator,
                "saga_stuck done book-trip o-1: sold out stuck /sagas/" + saga,
                "saga_stuck todo book-trip o-1: sold out stuck /sagas/" + saga);
        assertThat(items(auditor)).isEmpty();
        assertThat(items(square.admin)).contains("saga_stuck todo book-trip o-1: sold out stuck /sagas/" + saga);
    }

    @Test
    void anOwnerHasAnItemOfATokenThatExpiresAndOfOneThatHasExpired() {
        var owner = square.person("Owner");
        for (var type : List.of("token-expiring", "token-expired")) {
            db.useTransaction(tx -> new EventLog()
                    .append(tx, NewEvent.of(Ids.parse(owner.id()), type).with("userId", owner.id())));
        }
        awaitItems(
                owner,
                "access_token_expired todo hiroba/tokens opened /settings/tokens",
                "access_token_expiring todo hiroba/tokens opened /settings/tokens");
    }

    @Test
    void deadLettersNotifyTheOwnerAndTheOperatorsWhoMayReadTheSource() {
        var operator = square.person("Operator");
        grant(operator, "operator");
        var owner = square.person("Owner");
        var source = source(owner, "A secret plan", "private");
        var open = source(owner, "An open plan", "public");
        bury(owner, source);
        var dead = bury(owner, open);
        awaitItems(
                owner,
                "knowledge_failed todo A secret plan failed /knowledge/sources/" + source,
                "knowledge_failed todo An open plan failed /knowledge/sources/" + open);
        awaitItems(operator, "knowledge_failed todo An open plan failed /knowledge/sources/" + open);
        assertThat(items(square.admin))
                .contains("knowledge_failed todo A secret plan failed /knowledge/sources/" + source);

        assertThat(owner.api().delete("/api/v1/knowledge/dlq/" + Ids.hex(dead)).outcome())
                .isEqualTo("204");
        awaitItems(operator, "knowledge_failed done An open plan opened /knowledge/sources/" + open);
        assertThat(owner.api().delete("/api/v1/knowledge/sources/" + source).outcome())
                .isEqualTo("204");
        awaitItems(owner, "knowledge_failed done An open plan opened /knowledge/sources/" + open);
    }

    @Test
    void anAssignedRecordIsTheAssigneesUntilItIsAnothersOrGone() {
        var owner = square.person("Owner");
        var ann = square.person("Ann-" + UUID.randomUUID().toString().substring(0, 8));
        var ben = square.person("Ben");
        var stranger = square.person("Stranger");
        var project = project(owner, ann, ben);
        var records = PROJECTS + "/" + project + "/records/task";
        var byId = create(owner, records, "Paint", ann.id());
        var item = " Paint opened /records/%s/task/%s".formatted(project, byId);
        awaitItems(ann, "assigned todo" + item);
        assign(owner, records, byId, ben.email());
        awaitItems(ben, "assigned todo" + item);
        awaitItems(ann, "assigned done" + item);
        var nickname = ann.api().get("/api/v1/me").text("nickname");
        assign(owner, records, byId, "@" + nickname);
        awaitItems(ann, "assigned done" + item, "assigned todo" + item);
        owner.api().send("PATCH", records.replace("/records/", "/schemas/"), "{'name': 'job'}");
        assertThat(owner.api().delete(records + "/" + byId).outcome()).isEqualTo("204");
        var gone = item.replace("opened", "deleted").replace("/task/", "/job/");
        awaitItems(ann, "assigned done" + gone, "assigned done" + gone);
        create(owner, records, "Not theirs", stranger.id());
        create(owner, records, "Nobody", "whoever");
        create(owner, records, "Last", ben.id());
        Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> items(ben).size() == 2);
        assertThat(items(stranger)).isEmpty();
    }

    @Test
    void hiddenFieldsAndRecordsNotifyNobodyWhoMayNotSeeThem() {
        var owner = square.person("Owner");
        var viewer = square.person("Viewer");
        var project = project(owner, viewer);
        var schema = PROJECTS + "/" + project + "/schemas/task";
        assertThat(owner.api()
                        .put(schema + "/rules", "{\"hidden\": [\"name\"]}")
                        .outcome())
                .isEqualTo("200");
        var records = PROJECTS + "/" + project + "/records/task";
        var id = create(owner, records, "A hidden name", viewer.id());
        awaitItems(
                viewer, "assigned todo task %s opened /records/%s/task/%s".formatted(id.substring(0, 8), project, id));
        assertThat(owner.api().put(schema + "/rules", "{\"ownRowsOnly\": true}").outcome())
                .isEqualTo("200");
        create(owner, records, "Not seen", viewer.id());
        var seen = create(owner, records, "For its owner", owner.id());
        awaitItems(owner, "assigned todo For its owner opened /records/%s/task/%s".formatted(project, seen));
        assertThat(items(viewer)).hasSize(1);
    }

    @Test
    void theOwnerOfASavedQueryIsNotifiedOfItsMatches() {
        var owner = square.person("Owner");
        var ann = square.person("Ann");
        var project = project(owner, ann);
        assertThat(ann.api()
                        .post(PROJECTS + "/" + project + "/saved-queries", """
                                {"name": "Urgent", "notify": true,
                                 "query": {"schema": "task", "where": {"attr": "name", "op": "equals", "value": "Fire"}}}
                                """)
                        .body())
                .contains("Urgent");
        // As versions before told it, without saying to whom.
        appendEvent(
                ann,
                "{'type': 'record-matched', 'projectId': '%s', 'schema': 'task', 'rowId': '%s'}"
                        .formatted(project, UUID.randomUUID()));
        var id = create(owner, PROJECTS + "/" + project + "/records/task", "Fire", "");
        awaitItems(ann, "query_matched todo Fire opened /records/%s/task/%s".formatted(project, id));
        assertThat(items(owner)).isEmpty();
    }

    @Test
    void aPostThatIsGoneTakesItsItemsAlong() {
        var ann = square.person("Ann");
        var kept = ann.post("Old words\n\nand more");
        var marked = ann.post("# *First* words");
        assertThat(ann.api()
                        .post("/api/v1/inbox/mark", "{'resourceType': 'post', 'resource': '%s'}".formatted(marked))
                        .outcome())
                .isEqualTo("201");
        assertThat(items(ann)).containsExactly("marked todo First words published /posts/" + marked);
        var gone = ann.post("To be forgotten");
        mark(ann, kept);
        mark(ann, gone);
        assertThat(ann.api()
                        .put(
                                "/api/v1/posts/" + kept,
                                "{'content': '# New **words**\\n\\nand more', 'tags': [], 'allowLikes': true, 'allowReplies': true}")
                        .status())
                .isLessThan(300);
        assertThat(ann.api().delete("/api/v1/posts/" + gone).outcome()).isEqualTo("204");
        awaitItems(
                ann,
                "marked todo First words published /posts/" + marked,
                "marked todo New words published /posts/" + kept);
    }

    @Test
    void whoLeavesAProjectLosesItsItemsInAWhileAndWithItGoAll() {
        var owner = square.person("Owner");
        var ann = square.person("Ann");
        var project = project(owner, ann);
        var records = PROJECTS + "/" + project + "/records/task";
        create(owner, records, "Paint", ann.id());
        create(owner, records, "Mine", owner.id());
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .until(() -> !items(ann).isEmpty() && !items(owner).isEmpty());
        var member = PROJECTS + "/" + project + "/members/" + ann.id();
        assertThat(owner.api().delete(member).outcome()).isEqualTo("204");
        awaitLeaving(ann, 1);
        owner.api().put(member, "{\"role\": \"viewer\"}");
        awaitLeaving(ann, 0);
        assertThat(items(ann)).hasSize(1);
        assertThat(owner.api().delete(PROJECTS + "/" + project).outcome()).isEqualTo("204");
        awaitItems(owner);
        awaitItems(ann);
    }

    private static void awaitLeaving(Person person, int places) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .until(() -> db.read(reads -> reads.query("""
                                        SELECT count(*) = :places
                                        FROM inbox.members m JOIN inbox.people p ON p.id = m.person_id
                                        WHERE p.user_id = :user AND m.leaves_at IS NOT NULL
                                        """)
                        .bind("places", places)
                        .bind("user", Ids.parse(person.id()))
                        .mapTo(Boolean.class)
                        .one()));
    }

    @Test
    void nothingIsLeftOfSomebodyWhoIsGone() {
        var owner = square.person("Owner");
        var ann = square.person("Ann");
        var project = project(owner, ann);
        create(owner, PROJECTS + "/" + project + "/records/task", "Paint", ann.id());
        Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> items(ann).size() == 1);
        assertThat(square.admin.deleteAccount(ann.id()).status()).isLessThan(300);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> db.read(
                                reads -> reads.query("SELECT count(*) FROM inbox.people WHERE external_id = :user")
                                        .bind("user", ann.id())
                                        .mapTo(Integer.class)
                                        .one()),
                        count -> count == 0);
        assertThat(items(ann)).isEmpty();
    }

    private static void grant(Person person, String role) {
        assertThat(square.admin
                        .api()
                        .put("/api/v1/saga-roles/" + person.id(), "{\"role\": \"%s\"}".formatted(role))
                        .status())
                .isLessThan(300);
    }

    private static void appendSagaEvent(String type, UUID saga, String status) {
        db.useTransaction(tx -> tx.query("""
                        SELECT saga.append_events(
                            ARRAY[:type], ARRAY[:saga], ARRAY['book-trip'], ARRAY[:status], ARRAY['o-1'],
                            ARRAY[CASE WHEN :type = 'saga-stuck' THEN 'sold out' END])
                        """)
                .bind("type", type)
                .bind("saga", saga)
                .bind("status", status)
                .mapTo(String.class)
                .list());
    }

    private static String source(Person owner, String title, String visibility) {
        var made = owner.api()
                .post(
                        "/api/v1/knowledge/sources",
                        "{\"text\": \"Words of %s\", \"title\": \"%s\", \"visibility\": \"%s\"}"
                                .formatted(title, title, visibility));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("id");
    }

    /** Makes a dead letter of the source's first chunk, as the embedding does. */
    private static long bury(Person owner, String source) {
        long id = Ids.parse(source) + 1;
        db.useTransaction(tx -> {
            tx.update("""
                            WITH space AS (
                                INSERT INTO knowledge.spaces (provider, model, dimensions, state)
                                VALUES ('test', 'test', 3, 'retired')
                                RETURNING id)
                            INSERT INTO knowledge.knowledge_chunks_dlq
                                (id, space_id, original_chunk_id, source_id, source_title, owned_by, content, error_code,
                                 error_message)
                            SELECT :id, space.id, c.id, :source, 'x', :owner, 'x', 'RATE_LIMIT', 'x'
                            FROM space, knowledge.knowledge_chunks c WHERE c.source_id = :source LIMIT 1
                            """)
                    .bind("id", id)
                    .bind("source", Ids.parse(source))
                    .bind("owner", Ids.parse(owner.id()))
                    .execute();
        });
        appendEvent(owner, "{'type': 'knowledge-dead', 'sourceId': '%s'}".formatted(source));
        return id;
    }

    /** Appends an event for somebody. */
    private static void appendEvent(Person recipient, String payload) {
        db.useTransaction(tx -> tx.query("""
                        SELECT platform.append_events(
                            ARRAY[platform.event_partition(:recipient)], ARRAY[CAST(:payload AS jsonb)])
                        """)
                .bind("recipient", Ids.parse(recipient.id()))
                .bind("payload", payload.replace('\'', '"'))
                .mapTo(String.class)
                .list());
    }

    private static String project(Person owner, Person... members) {
        var id = owner.api().post(PROJECTS, "{\"name\": \"House\"}").text("id");
        for (var member : members) {
            owner.api().put(PROJECTS + "/" + id + "/members/" + member.id(), "{\"role\": \"viewer\"}");
        }
        assertThat(owner.api().post(PROJECTS + "/" + id + "/schemas", """
                                {"name": "task", "attributes": [
                                    {"name": "assignee", "type": "text"}, {"name": "name", "type": "text"}]}
                                """).outcome())
                .isEqualTo("201");
        return id;
    }

    private static String create(Person by, String records, String name, String assignee) {
        var made = by.api().post(records, "{\"name\": \"%s\", \"assignee\": \"%s\"}".formatted(name, assignee));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("id");
    }

    private static void assign(Person by, String records, String id, String assignee) {
        assertThat(by.api()
                        .send("PATCH", records + "/" + id, "{\"assignee\": \"%s\"}".formatted(assignee))
                        .outcome())
                .isEqualTo("200");
    }

    /** Gives somebody an item about a post. */
    private static void mark(Person person, String post) {
        db.useTransaction(tx -> tx.update("""
                        WITH namespace AS (
                            INSERT INTO inbox.namespaces (id, connection_id, path, name)
                            VALUES (:post + 1, 1, 'of ' || :post, 'posts') RETURNING id
                        ), resource AS (
                            INSERT INTO inbox.resources
                                (id, type, connection_id, namespace_id, external_id, title, state, changed_at)
                            SELECT :post, 6, 1, id, :hex, 'x', 'opened', now() - interval '1 day' FROM namespace
                        ), kind AS (
                            INSERT INTO inbox.posts (id, post_id) VALUES (:post, :post)
                        ), item AS (
                            INSERT INTO inbox.notifications
                                (id, user_id, namespace_id, action, resource_type, resource_id, happened_at)
                            VALUES (:post, :user, :post + 1, 4, 6, :post, now())
                        )
                        INSERT INTO inbox.post_notifications (notification_id, user_id, resource_id, namespace_id)
                        VALUES (:post, :user, :post, :post + 1)
                        """)
                .bind("post", Ids.parse(post))
                .bind("hex", post)
                .bind("user", Ids.parse(person.id()))
                .execute());
    }

    private static void awaitItems(Person person, String... expected) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(items(person)).containsExactlyInAnyOrder(expected));
    }

    private static List<String> items(Person person) {
        return db.read(reads -> reads.query("""
                        SELECT n.action, n.state, r.title || ' ' || r.state || ' ' || coalesce(r.url, '') AS about
                        FROM inbox.notifications n JOIN inbox.resources r ON r.id = n.resource_id
                        WHERE n.user_id = :user
                        ORDER BY n.id
                        """)
                .bind("user", Ids.parse(person.id()))
                .map(row -> "%s %s %s"
                        .formatted(
                                Action.of(row.getInt("action")).text(),
                                row.getInt("state") == 2 ? "done" : "todo",
                                row.getString("about")))
                .list());
    }
}
