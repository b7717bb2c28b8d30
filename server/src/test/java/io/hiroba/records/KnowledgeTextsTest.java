package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.records.AccessRules.Matching;
import io.hiroba.records.AccessRules.Trait;
import io.hiroba.testkit.TestRecords;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Records as texts for knowledge: what the event log tells of them, what is in them, and who may read them. */
class KnowledgeTextsTest {

    private static TestRecords test;
    private static KnowledgeTexts texts;
    private ProjectAccess owner;
    private ProjectAccess editor;
    private ProjectAccess viewer;

    @BeforeAll
    static void start() {
        test = new TestRecords();
        texts = new KnowledgeTexts(test.db, test.accounts.lease.ids(), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @BeforeEach
    void aProject() {
        owner = test.project();
        editor = test.member(owner, test.accounts.user("Kim"), ProjectRole.EDITOR);
        viewer = test.member(owner, test.accounts.user("Lee"), ProjectRole.VIEWER);
        test.schema(
                owner, "task", "title text", "body text", "cost numeric", "day date", "after text references=\"task\"");
    }

    private long choose(String... attributes) {
        texts.choose(owner, "task", List.of(attributes));
        return texts();
    }

    private long texts() {
        return test.db.read(reads -> reads.query("SELECT id FROM records.knowledge_texts WHERE project_id = :project")
                .bind("project", owner.project().id().value())
                .mapTo(Long.class)
                .one());
    }

    private static boolean canRead(UserId user, long texts) {
        return test.db.read(reads -> reads.query("SELECT :texts = ANY (records.readable_texts(:user)) AS readable")
                .bind("texts", texts)
                .bind("user", user.value())
                .map(row -> row.getBoolean("readable"))
                .one());
    }

    /** Who may read the texts: an o for the owner, an e for the editor, a v for the viewer. */
    private String readers(long texts) {
        return (canRead(owner.user(), texts) ? "o" : "")
                + (canRead(editor.user(), texts) ? "e" : "")
                + (canRead(viewer.user(), texts) ? "v" : "");
    }

    /** The events about texts of the project's choices, oldest first. */
    private List<JsonNode> events(long texts) {
        return test.db.read(reads -> reads.query("""
                SELECT payload FROM platform.event_logs
                WHERE payload ->> 'textsId' = lpad(upper(to_hex(:texts)), 16, '0') ORDER BY event_id
                """)
                .bind("texts", texts)
                .map(row -> Json.mapper().readTree(row.getString("payload")))
                .list());
    }

    private List<String> changed(long texts) {
        return events(texts).stream()
                .filter(event -> event.path("type").asString().equals("record-texts-changed"))
                .flatMap(event -> event.path("rows").valueStream())
                .map(JsonNode::asString)
                .toList();
    }

    private List<String> types(long texts) {
        return events(texts).stream()
                .map(event -> event.path("type").asString())
                .toList();
    }

    private Map<UUID, String> read(long id) {
        var found = new HashMap<UUID, String>();
        test.db.useTransaction(tx -> new RecordTexts()
                .after(tx, id, new UUID(0, 0), 100)
                .forEach(text -> found.put(text.row(), text.title() + "|" + text.text())));
        return found;
    }

    @Test
    void everyRuleIsObeyedFromItsCommitOn() {
        long id = choose("title", "body");
        assertThat(readers(id)).isEqualTo("oev");
        assertThat(canRead(test.person("Stranger").user(), id)).isFalse();
        rules(hiding("body"));
        assertThat(readers(id)).isEqualTo("o");
        rules(hiding("cost"));
        assertThat(readers(id)).isEqualTo("oev");
        rules(new AccessRules(false, null, Set.of(), Set.of(), List.of(), Set.of(), hiding("title")));
        assertThat(readers(id)).isEqualTo("ov");
        rules(new AccessRules(false, null, Set.of("title"), Set.of(), List.of(), Set.of(), AccessRules.NONE));
        assertThat(readers(id)).isEqualTo("oe");
        rules(new AccessRules(true, null, Set.of(), Set.of()));
        assertThat(readers(id)).isEqualTo("o");
        rules(new AccessRules(false, new Matching("title", Trait.EMAIL), Set.of(), Set.of()));
        assertThat(readers(id)).isEqualTo("o");
        var above = new RowTest("cost", "gt", List.of(TestRecords.json("3")));
        rules(new AccessRules(false, null, Set.of(), Set.of(), List.of(above), Set.of(), AccessRules.NONE));
        assertThat(readers(id)).isEqualTo("oe");
        assertThat(texts.find(owner, "task").orElseThrow().readers())
                .containsExactlyInAnyOrder(ProjectRole.OWNER, ProjectRole.EDITOR);
        rules(AccessRules.NONE);
        assertThat(readers(id)).isEqualTo("oev");
    }

    @Test
    void whoLeavesReadsNothingAndARenamedAttributeIsStillHidden() {
        long id = choose("title", "body");
        test.changes.change(owner, "task", "body", new AttributeChange("content", null, false));
        rules(hiding("content"));
        assertThat(readers(id)).isEqualTo("o");
        rules(AccessRules.NONE);
        test.projects.remove(owner.caller(), owner.project().id(), editor.user());
        assertThat(readers(id)).isEqualTo("ov");
    }

    @Test
    void textsWithARemovedAttributeAreNobodysUntilOthersAreChosen() {
        long id = choose("title", "body");
        test.one(owner, "task", "{'title': 'a', 'body': 'b'}");
        test.removed.remove(owner, "task", "body");
        assertThat(readers(id)).isEmpty();
        assertThat(texts.find(owner, "task").orElseThrow().readers()).isEmpty();
        assertThat(read(id).values()).containsExactly("a|title: a");
        long again = choose("title");
        assertThat(again).isNotEqualTo(id);
        assertThat(readers(again)).isEqualTo("oev");
        assertThat(readers(id)).isEmpty();
        assertThat(types(id)).endsWith("record-texts-ended");
    }

    @Test
    void theLogTellsWhichTextsAreOthersHoweverTheyChanged() {
        long id = choose("title", "body");
        var row = test.one(owner, "task", "{'title': 'a', 'cost': 1}").toString();
        assertThat(changed(id)).containsExactly(row);
        patch(row, "{'cost': 2}");
        assertThat(changed(id)).hasSize(1);
        patch(row, "{'body': 'x'}");
        assertThat(changed(id)).containsExactly(row, row);
        // By hand, as a bulk change would.
        test.count(
                owner,
                "WITH u AS (UPDATE records.\"records_@\" SET doc = '[\"b\"]' RETURNING 1) SELECT count(*) FROM u");
        assertThat(changed(id)).containsExactly(row, row, row);
        test.records.delete(owner, "task", RowId.parse(row), null);
        assertThat(changed(id)).hasSize(4);
        var many = IntStream.range(0, 450)
                .mapToObj(i -> "{'title': 't%d'}".formatted(i))
                .toArray(String[]::new);
        var ids = test.insert(owner, "task", many).stream().map(RowId::toString).toList();
        assertThat(changed(id).subList(4, 454)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(types(id)).hasSize(1 + 4 + 3);
        rules(hiding("cost"));
        assertThat(types(id)).endsWith("record-texts-reshaped");
        texts.end(owner, "task");
        assertThat(types(id)).endsWith("record-texts-ended");
        int before = types(id).size();
        test.one(owner, "task", "{'title': 'later'}");
        assertThat(types(id)).hasSize(before);
    }

    @Test
    void aProjectThatGoesTellsOfItsTexts() {
        long id = choose("title");
        test.projects.delete(owner.caller(), owner.project().id());
        assertThat(types(id)).containsExactly("record-texts-chosen", "record-texts-ended");
        assertThat(canRead(owner.user(), id)).isFalse();
    }

    @Test
    void aWriterWhoWasThereBeforeTheChoiceIsWaitedFor() throws Exception {
        var written = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        // Threads of their own: the common pool has one on two cores, and the writer keeps it.
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var writer = CompletableFuture.runAsync(
                () -> test.db.useTransaction(tx -> {
                    tx.update("""
                    INSERT INTO %s (row_id, created_by, updated_by, schema_id, doc)
                    VALUES (gen_random_uuid(), 1, 1, 100, '["late"]')
                    """.formatted(owner.tables().records())).execute();
                    written.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }),
                threads);
        written.await();
        var chosen = CompletableFuture.supplyAsync(() -> choose("title"), threads);
        try {
            await().atMost(Duration.ofSeconds(20)).until(() -> test.accounts.count("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """) == 1);
        } finally {
            goOn.countDown();
        }
        writer.get();
        long id = chosen.get();
        assertThat(read(id).values()).containsExactly("late|title: late");
    }

    @Test
    void aTextHasTheChosenValuesAndNoOthers() {
        test.schema(
                owner,
                "item",
                "name text",
                "kind text enum=[\"s\",\"l\"]",
                "tags multi_select enum=[\"x\",\"y\"]",
                "price numeric",
                "sold date",
                "secret text",
                "after text references=\"task\"");
        texts.choose(owner, "item", List.of("kind", "name", "tags", "price", "sold"));
        var row = test.one(
                owner,
                "item",
                "{'name': 'Lamp', 'kind': 's', 'tags': ['x', 'y'], 'price': 12.50, 'sold': '2026-01-31', 'secret': 'no'}");
        var empty = test.one(owner, "item", "{'secret': 'no'}");
        var found = read(texts());
        assertThat(found.get(row.value()))
                .isEqualTo("s|kind: s\nname: Lamp\ntags: x, y\nprice: 12.50\nsold: 2026-01-31");
        assertThat(found.get(empty.value()))
                .isEqualTo("item " + empty.toString().substring(0, 8) + "|");
        assertThat(KnowledgeTexts.eligible(test.schemas.get(owner, "item")))
                .extracting(SchemaAttribute::name)
                .containsExactly("name", "kind", "tags", "price", "sold", "secret");
    }

    private void patch(String row, String values) {
        test.records.patch(owner, "task", RowId.parse(row), TestRecords.json(values), null);
    }

    private static AccessRules hiding(String attribute) {
        return new AccessRules(false, null, Set.of(attribute), Set.of());
    }

    private void rules(AccessRules rules) {
        test.schemas.setRules(owner, "task", rules);
    }
}
