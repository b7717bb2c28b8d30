package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.TestRecords;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People in records, one or many, and references to many records. */
class PeopleAndListsTest {

    private static TestRecords test;
    private ProjectAccess shop;
    private ProjectAccess ann;

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
        ann = test.member(shop, ProjectRole.EDITOR);
        test.schema(shop, "product", "name text", "price numeric", "like text references=\"product\" many");
        test.schema(
                shop,
                "job",
                "title text",
                "lead text format=\"person\"",
                "team text format=\"person\" many",
                "uses text references=\"product\" many");
    }

    private static void refused(ThrowingCallable act, String field, String message) {
        assertThatThrownBy(act).isInstanceOfSatisfying(RecordsProblem.class, problem -> {
            assertThat(problem.fields()).hasSize(1);
            assertThat(problem.fields().getFirst().field()).endsWith(field);
            assertThat(problem.fields().getFirst().message().in(Language.ENGLISH))
                    .contains(message);
        });
    }

    @Test
    void aPersonIsAMemberByIdAndStaysWhenTheyLeave() {
        var lower = ann.user().hex().toLowerCase(Locale.ROOT);
        var id = test.one(
                shop,
                "job",
                "{'lead': '%s', 'team': ['%s', '%s']}"
                        .formatted(lower, shop.user().hex(), lower));
        assertThat(test.get(shop, "job", id).values())
                .isEqualTo(json("{'lead': '%1$s', 'team': ['%2$s', '%1$s']}"
                        .formatted(ann.user().hex(), shop.user().hex())));
        var stranger = test.accounts.user("Stranger").hex();
        refused(() -> test.one(shop, "job", "{'lead': '%s'}".formatted(stranger)), "lead", "member of this project");
        refused(() -> test.one(shop, "job", "{'team': ['%s']}".formatted(stranger)), "team", "member of this project");
        refused(() -> test.one(shop, "job", "{'lead': 'Ann'}"), "lead", "member of this project");
        refused(
                () -> test.one(
                        shop,
                        "job",
                        "{'team': ['%s', '%s']}".formatted(lower, ann.user().hex())),
                "team",
                ann.user().hex());
        test.projects.remove(shop.caller(), shop.project().id(), ann.user());
        // Who was there before may stay, and nobody who left comes in anew.
        test.records.patch(
                shop, "job", id, json("{'team': ['%s']}".formatted(ann.user().hex())), null);
        refused(
                () -> test.records.patch(
                        shop, "job", id, json("{'title': 'x', 'lead': '%s'}".formatted(stranger)), null),
                "lead",
                "member of this project");
        refused(
                () -> test.one(
                        shop, "job", "{'lead': '%s'}".formatted(ann.user().hex())),
                "lead",
                "member");
    }

    @Test
    void anEmptyListIsNoValueAndAListHasItsLimit() {
        var id = test.one(shop, "job", "{'title': 'a', 'team': [], 'uses': []}");
        assertThat(test.get(shop, "job", id).values()).isEqualTo(json("{'title': 'a'}"));
        var many = Collections.nCopies(501, 0).stream()
                .map(each -> "'" + UUID.randomUUID() + "'")
                .collect(Collectors.joining(",", "[", "]"));
        refused(() -> test.one(shop, "job", "{'uses': %s}".formatted(many)), "uses", "500");
    }

    @Test
    void aListKeepsItsOrderAndLinksEachRecordOnce() {
        var products = test.insert(shop, "product", "{'name': 'a'}", "{'name': 'b'}", "{'name': 'c'}");
        var id = test.one(shop, "job", "{'uses': ['%s', '%s']}".formatted(products.get(2), products.get(0)));
        assertThat(links()).isEqualTo(2);
        test.records.patch(
                shop, "job", id, json("{'uses': ['%s', '%s']}".formatted(products.get(1), products.get(2))), null);
        assertThat(test.get(shop, "job", id).values().path("uses"))
                .isEqualTo(json("['%s', '%s']".formatted(products.get(1), products.get(2))));
        assertThat(links()).isEqualTo(2);
        refused(
                () -> test.one(
                        shop,
                        "job",
                        "{'uses': ['%s', '%s']}"
                                .formatted(
                                        products.get(0),
                                        products.get(0).toString().toUpperCase(Locale.ROOT))),
                "uses",
                products.get(0).toString());
        refused(() -> test.one(shop, "job", "{'uses': ['%s']}".formatted(UUID.randomUUID())), "uses", "product");
        test.records.delete(shop, "job", id, null);
        assertThat(links()).isZero();
    }

    private int links() {
        return test.count(shop, "SELECT count(*) FROM records.\"links_@\"");
    }

    @Test
    void aRecordInAListCannotBeDeletedAndOnesOfABatchReferToEachOther() {
        var both = test.insert(shop, "product", "{'name': 'a', 'like': ['#1']}", "{'name': 'b', 'like': ['#0', '#1']}");
        assertThat(test.get(shop, "product", both.get(1)).values().path("like"))
                .isEqualTo(json("['%s', '%s']".formatted(both.get(0), both.get(1))));
        assertThatThrownBy(() -> test.records.delete(shop, "product", both.get(0), null))
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("records.referenced"));
        test.records.patch(shop, "product", both.get(1), json("{'like': null}"), null);
        test.records.patch(shop, "product", both.get(0), json("{'like': null}"), null);
        test.records.delete(shop, "product", both.get(0), null);
    }

    @Test
    void aRestoredRecordHasItsListsAgain() {
        var product = test.one(shop, "product", "{'name': 'a'}");
        var id = test.one(
                shop,
                "job",
                "{'uses': ['%s'], 'team': ['%s']}".formatted(product, ann.user().hex()));
        var before = test.get(shop, "job", id).values();
        test.records.delete(shop, "job", id, null);
        test.projects.remove(shop.caller(), shop.project().id(), ann.user());
        test.history.restore(shop, "job", id, 1, null);
        assertThat(test.get(shop, "job", id).values()).isEqualTo(before);
        assertThat(links()).isEqualTo(1);
    }

    @Test
    void onlyRecordsThatTheWriterMayReadCanBeListed() {
        test.schema(shop, "secret", "name text");
        test.schema(shop, "note", "about text references=\"secret\" many");
        test.schemas.setRules(shop, "secret", new AccessRules(true, null, Set.of(), Set.of()));
        var hidden = test.one(shop, "secret", "{'name': 'x'}");
        var own = test.one(ann, "secret", "{'name': 'y'}");
        test.one(ann, "note", "{'about': ['%s']}".formatted(own));
        refused(() -> test.one(ann, "note", "{'about': ['%s', '%s']}".formatted(own, hidden)), "about", "secret");
    }

    @Test
    void rollupsCountRecordsThatReferToARecordByAList() {
        var definition = TestRecords.definition(
                "product", "name text", "price numeric", "like text references=\"product\" many");
        var attributes = Stream.concat(
                        definition.attributes().stream(),
                        Stream.of(AttributeDefinition.ofComputed(
                                "used",
                                null,
                                new ComputedDefinition(
                                        null, null, new ComputedDefinition.Rollup("job", "uses", null, "count")))))
                .toList();
        test.schemas.evolve(shop, "product", new SchemaDefinition("product", null, attributes));
        var products = test.insert(shop, "product", "{'name': 'a'}", "{'name': 'b'}");
        var job = test.one(shop, "job", "{'uses': ['%s', '%s']}".formatted(products.get(0), products.get(1)));
        test.one(shop, "job", "{'uses': ['%s']}".formatted(products.get(1)));
        assertThat(used(products)).containsExactly(1, 2);
        test.records.patch(shop, "job", job, json("{'uses': ['%s']}".formatted(products.get(0))), null);
        assertThat(used(products)).containsExactly(1, 1);
    }

    private List<Integer> used(List<RowId> products) {
        return products.stream()
                .map(id -> test.get(shop, "product", id).values().path("used").asInt())
                .toList();
    }

    @Test
    void aListOfPeopleOrRecordsIsDefinedAsSuchAndStaysOne() {
        var read = SchemaView.of(shop, test.catalog.refreshed(shop.tables(), "job"), List.of());
        assertThat(read.attributes())
                .extracting(each -> each.name() + " " + each.type() + " " + each.format() + " " + each.many())
                .containsExactly(
                        "title text null false",
                        "lead text person false",
                        "team text person true",
                        "uses text null true");
        refused(() -> test.schema(shop, "x", "a text many"), "many", "people and references");
        refused(() -> test.schema(shop, "x", "a numeric many"), "many", "people and references");
        refused(() -> test.schema(shop, "x", "a text many format=\"person\" enum=[\"a\"]"), "many", "people");
        refused(() -> test.schema(shop, "x", "a text many unique references=\"job\""), "unique", "");
        assertThatThrownBy(() -> test.schemas.evolve(
                        shop,
                        "job",
                        TestRecords.definition(
                                "job",
                                "title text",
                                "lead text format=\"person\"",
                                "team multi_select enum=[\"a\"]",
                                "uses text references=\"product\" many")))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> test.changes.change(shop, "job", "team", AttributeChange.ofFormat("", null)))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> test.options.change(
                        shop,
                        "job",
                        "team",
                        new OptionChanges.Request(List.of(new SelectOption("a", null, null)), Map.of())))
                .isInstanceOf(RecordsProblem.class);
    }

    @Test
    void aTextOfIdsBecomesPeopleAndOtherTextsDoNot() {
        test.schema(shop, "old", "who text", "name text");
        test.one(shop, "old", "{'who': '%s', 'name': 'x'}".formatted(ann.user().hex()));
        var changed = test.changes.change(shop, "old", "who", AttributeChange.ofFormat("person", null));
        assertThat(changed.attribute("who").orElseThrow().isPerson()).isTrue();
        assertThatThrownBy(() -> test.changes.change(shop, "old", "name", AttributeChange.ofFormat("person", null)))
                .isInstanceOf(RecordsProblem.class);
    }
}
