package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.definition;
import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.HistoryEntry.Operation;
import io.hiroba.testkit.TestRecords;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordHistoryTest {

    private static TestRecords test;
    private ProjectAccess shop;

    @BeforeAll
    static void start() {
        test = new TestRecords();
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @BeforeEach
    void aShop() {
        shop = test.project();
        test.schema(shop, "product", "name text required", "price numeric", "sold date", "sku text unique");
    }

    @Test
    void itTellsWhoChangedWhatFromWhatToWhatWhen() {
        var editor = test.member(shop, ProjectRole.EDITOR);
        var id = test.one(shop, "product", "{'name': 'tea', 'price': 0.10}");
        test.records.patch(editor, "product", id, json("{'price': 0.20, 'sold': '2026-01-31'}"), null);
        test.records.patch(shop, "product", id, json("{'price': null}"), null);
        var entries = entries(shop, id);
        assertThat(entries)
                .extracting(HistoryEntry::operation)
                .containsExactly(Operation.CHANGED, Operation.CHANGED, Operation.CREATED);
        assertThat(entries).extracting(HistoryEntry::version).containsExactly(3, 2, 1);
        assertThat(entries).extracting(HistoryEntry::by).containsExactly(shop.user(), editor.user(), shop.user());
        assertThat(text(entries.get(0))).isEqualTo("price 0.20→null");
        assertThat(text(entries.get(1))).isEqualTo("price 0.10→0.20, sold null→\"2026-01-31\"");
        assertThat(text(entries.get(2))).isEqualTo("name null→\"tea\", price null→0.10");
        assertThat(entries.get(2).at()).isEqualTo(id.createdAt());
        assertThat(entries.get(0).at()).isAfterOrEqualTo(entries.get(1).at());
    }

    @Test
    void itComesInPagesAndTheMakingIsTheLast() {
        var id = test.one(shop, "product", "{'name': 'v1'}");
        for (int version = 2; version <= 5; version++) {
            test.records.patch(shop, "product", id, json("{'name': 'v%d'}".formatted(version)), null);
        }
        assertThat(test.history.page(shop, "product", id, Integer.MAX_VALUE, 3))
                .extracting(HistoryEntry::version)
                .containsExactly(5, 4, 3);
        assertThat(test.history.page(shop, "product", id, 3, 3))
                .extracting(HistoryEntry::version)
                .containsExactly(2, 1);
        assertThat(test.history.page(shop, "product", id, 1, 3)).isEmpty();
    }

    @Test
    void aRecordGetsBackWhatItHad() {
        var id = test.one(shop, "product", "{'name': 'tea', 'price': 1}");
        test.records.replace(shop, "product", id, json("{'name': 'coffee', 'sku': 'c'}"), null);
        var restored = test.history.restore(shop, "product", id, 1, 2);
        assertThat(restored.version()).isEqualTo(3);
        assertThat(restored.values()).hasToString("{\"name\":\"tea\",\"price\":1}");
        assertThat(entries(shop, id)).hasSize(3);
        assertThatThrownBy(() -> test.history.restore(shop, "product", id, 2, 2))
                .hasMessageContaining("version 3");
        assertThatThrownBy(() -> test.history.restore(shop, "product", id, 4, null))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> test.history.restore(shop, "product", id, 0, null))
                .isInstanceOf(RecordsProblem.class);
    }

    @Test
    void aDeletedRecordComesBackUnderItsIdAndItsHistoryGoesOn() {
        var editor = test.member(shop, ProjectRole.EDITOR);
        var id = test.one(editor, "product", "{'name': 'tea', 'sku': 't'}");
        test.records.patch(shop, "product", id, json("{'price': 2}"), null);
        test.records.delete(shop, "product", id, null);
        assertThat(entries(shop, id))
                .extracting(HistoryEntry::operation)
                .containsExactly(Operation.DELETED, Operation.CHANGED, Operation.CREATED);
        assertThat(entries(shop, id).getLast().by()).isEqualTo(editor.user());
        assertThat(text(entries(shop, id).getFirst())).isEqualTo("name \"tea\"→null, price 2→null, sku \"t\"→null");
        assertThatThrownBy(() -> test.history.restore(shop, "product", id, 3, null))
                .isInstanceOf(RecordsProblem.class);
        var restored = test.history.restore(shop, "product", id, 2, null);
        assertThat(restored.version()).isEqualTo(4);
        assertThat(restored.createdBy()).isEqualTo(editor.user().hex());
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"name\":\"tea\",\"price\":2,\"sku\":\"t\"}");
        test.records.patch(shop, "product", id, json("{'price': 3}"), null);
        assertThat(entries(shop, id))
                .extracting(HistoryEntry::operation)
                .containsExactly(
                        Operation.CHANGED, Operation.RESTORED, Operation.DELETED, Operation.CHANGED, Operation.CREATED);
        assertThat(text(entries(shop, id).getLast())).isEqualTo("name null→\"tea\", sku null→\"t\"");
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"eav_@\"")).isEqualTo(3);
        assertThat(test.history.restore(shop, "product", id, 1, null).values())
                .hasToString("{\"name\":\"tea\",\"sku\":\"t\"}");
    }

    @Test
    void aValueThatAnotherRecordHasByNowDoesNotComeBack() {
        var id = test.one(shop, "product", "{'name': 'tea', 'sku': 't'}");
        test.records.delete(shop, "product", id, null);
        test.one(shop, "product", "{'name': 'other', 'sku': 't'}");
        assertThatThrownBy(() -> test.history.restore(shop, "product", id, 1, null))
                .isInstanceOfSatisfying(RecordsProblem.class, problem -> {
                    assertThat(problem.code()).isEqualTo("records.not-unique");
                    assertThat(problem.fields().getFirst().field()).isEqualTo("sku");
                });
    }

    @Test
    void whatIsHiddenIsNotInTheHistoryAndIsNotBroughtBackByThoseWhoDoNotSeeIt() {
        var editor = test.member(shop, ProjectRole.EDITOR);
        var id = test.one(shop, "product", "{'name': 'tea', 'price': 1}");
        test.records.patch(shop, "product", id, json("{'name': 'coffee', 'price': 2}"), null);
        test.schemas.setRules(shop, "product", new AccessRules(false, null, Set.of("price"), Set.of()));
        assertThat(text(entries(editor, id).getFirst())).isEqualTo("name \"tea\"→\"coffee\"");
        assertThat(text(entries(editor, id).getLast())).isEqualTo("name null→\"tea\"");
        assertThat(test.history.restore(editor, "product", id, 1, null).values())
                .hasToString("{\"name\":\"tea\"}");
        assertThat(test.get(shop, "product", id).values()).hasToString("{\"name\":\"tea\",\"price\":2}");
    }

    @Test
    void whoDoesNotSeeARecordDoesNotSeeItsHistoryEither() {
        test.schemas.setRules(shop, "product", new AccessRules(true, null, Set.of(), Set.of()));
        var id = test.one(shop, "product", "{'name': 'tea'}");
        var editor = test.member(shop, ProjectRole.EDITOR);
        var viewer = test.member(shop, ProjectRole.VIEWER);
        assertThatThrownBy(() -> entries(editor, id)).hasMessageContaining("no such record");
        assertThatThrownBy(() -> test.history.restore(editor, "product", id, 1, null))
                .hasMessageContaining("no such record");
        test.records.delete(shop, "product", id, null);
        assertThatThrownBy(() -> entries(editor, id)).hasMessageContaining("no such record");
        assertThatThrownBy(() -> test.history.restore(viewer, "product", id, 1, null))
                .hasMessageContaining("editors");
    }

    @Test
    void anAttributeThatWasAddedLaterIsNoHindrance() {
        var id = test.one(shop, "product", "{'name': 'tea'}");
        test.schemas.evolve(
                shop,
                "product",
                definition(
                        "product", "name text required", "price numeric", "sold date", "sku text unique", "more text"));
        test.records.patch(shop, "product", id, json("{'more': 'x'}"), null);
        assertThat(test.history.restore(shop, "product", id, 1, null).values()).hasToString("{\"name\":\"tea\"}");
        assertThat(text(entries(shop, id).getFirst())).isEqualTo("more \"x\"→null");
    }

    private static List<HistoryEntry> entries(ProjectAccess access, RowId id) {
        return test.history.page(access, "product", id, Integer.MAX_VALUE, 100);
    }

    private static String text(HistoryEntry entry) {
        return String.join(
                ", ",
                entry.changes().stream()
                        .map(delta -> "%s %s→%s".formatted(delta.attribute(), delta.from(), delta.to()))
                        .toList());
    }
}
