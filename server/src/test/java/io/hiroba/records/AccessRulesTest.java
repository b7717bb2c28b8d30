package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.AccessRules.Matching;
import io.hiroba.records.AccessRules.Trait;
import io.hiroba.testkit.TestRecords;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sees and writes what, besides the roles. */
class AccessRulesTest {

    private static TestRecords test;
    private ProjectAccess owner;
    private ProjectAccess editor;

    @BeforeAll
    static void start() {
        test = new TestRecords();
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @BeforeEach
    void aProject() {
        owner = test.project();
        editor = test.member(owner, test.accounts.user("Kim"), ProjectRole.EDITOR);
        test.schema(owner, "task", "title text", "assignee text", "cost numeric", "after text references=\"task\"");
    }

    @Test
    void ownRowsOnlyMeansThatOthersRowsAreNotThere() {
        rules(new AccessRules(true, null, Set.of(), Set.of()));
        var theirs = test.one(editor, "task", "{'title': 'mine'}");
        var others = test.one(owner, "task", "{'title': 'not mine'}");
        assertThat(test.get(editor, "task", theirs).version()).isOne();
        gone(() -> test.get(editor, "task", others));
        gone(() -> test.records.patch(editor, "task", others, json("{'title': 'x'}"), null));
        gone(() -> test.records.delete(editor, "task", others, null));
        assertThat(test.get(owner, "task", theirs).version()).isOne();
        // Nor can it be told from one that is not there by referring to it.
        assertThatThrownBy(() -> test.one(editor, "task", "{'after': '%s'}".formatted(others)))
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("records.no-target"));
        test.one(editor, "task", "{'after': '%s'}".formatted(theirs));
        test.one(owner, "task", "{'after': '%s'}".formatted(others));
    }

    @Test
    void aReferenceThatIsThereStaysThoughItsTargetIsNotSeen() {
        var others = test.one(owner, "task", "{'title': 'not theirs'}");
        var theirs = test.one(editor, "task", "{'title': 'theirs'}");
        test.records.patch(owner, "task", theirs, json("{'after': '%s'}".formatted(others)), null);
        rules(new AccessRules(true, null, Set.of(), Set.of()));
        assertThat(test.records
                        .patch(editor, "task", theirs, json("{'title': 'b'}"), null)
                        .version())
                .isEqualTo(3);
    }

    @Test
    void whatStandsInTheWayOfAHiddenValueIsNotNamed() {
        test.schema(owner, "secret", "open text", "code text unique", "to text references=\"task\"");
        var target = test.one(owner, "task", "{}");
        var id = test.one(owner, "secret", "{'open': 'a', 'code': 'c', 'to': '%s'}".formatted(target));
        test.records.delete(owner, "secret", id, null);
        test.records.delete(owner, "task", target, null);
        test.schemas.setRules(owner, "secret", new AccessRules(false, null, Set.of("code", "to"), Set.of()));
        fields("body", () -> test.history.restore(editor, "secret", id, 1, null));
        test.history.restore(owner, "task", target, 1, null);
        test.one(owner, "secret", "{'code': 'c'}");
        fields("body", () -> test.history.restore(editor, "secret", id, 1, null));
    }

    @Test
    void aRowIsSeenByWhomItNames() {
        for (var trait : Trait.values()) {
            rules(new AccessRules(false, new Matching("assignee", trait), Set.of(), Set.of()));
            var mine = switch (trait) {
                case ID -> editor.user().hex();
                case EMAIL -> test.accounts.emailOf(editor.user()).value();
            };
            var seen = test.one(owner, "task", "{'assignee': '%s'}".formatted(mine));
            var unseen = test.one(owner, "task", "{'assignee': 'another'}");
            var nobodys = test.one(owner, "task", "{'title': 'x'}");
            assertThat(test.get(editor, "task", seen).version()).isOne();
            gone(() -> test.get(editor, "task", unseen));
            gone(() -> test.get(editor, "task", nobodys));
            // Nobody writes what they would not see.
            fields("assignee", () -> test.records.patch(editor, "task", seen, json("{'assignee': 'another'}"), null));
            fields("[0].assignee", () -> test.one(editor, "task", "{'title': 'x'}"));
            test.one(editor, "task", "{'assignee': '%s'}".formatted(mine));
        }
    }

    @Test
    void whatIsHiddenIsUnknownAndWhatIsReadOnlyIsNotWritten() {
        var id = test.one(owner, "task", "{'title': 'a', 'cost': 5, 'assignee': 'me'}");
        rules(new AccessRules(false, null, Set.of("cost"), Set.of("assignee")));
        assertThat(test.get(editor, "task", id).values()).hasToString("{\"title\":\"a\",\"assignee\":\"me\"}");
        assertThatThrownBy(() -> test.records.patch(editor, "task", id, json("{'cost': 1}"), null))
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.fields())
                                .containsExactly(new FieldError(
                                        "cost", Text.of("records.field.no-attribute", "schema", "task"))));
        fields("assignee", () -> test.records.patch(editor, "task", id, json("{'assignee': 'x'}"), null));
        // They stay as they are when all the rest is replaced.
        test.records.replace(editor, "task", id, json("{'title': 'b'}"), null);
        assertThat(test.get(owner, "task", id).values())
                .hasToString("{\"title\":\"b\",\"assignee\":\"me\",\"cost\":5}");
    }

    @Test
    void whatIsRequiredAndNotTheirsToWriteNeedsADefault() {
        test.schema(owner, "a", "x text required", "y text");
        test.schemas.setRules(owner, "a", new AccessRules(false, null, Set.of("x"), Set.of()));
        assertThatThrownBy(() -> test.one(editor, "a", "{'y': '1'}"))
                .isInstanceOfSatisfying(RecordsProblem.class, problem -> {
                    assertThat(problem.fields().getFirst().field()).isEqualTo("[0]");
                    assertThat(problem.fields().toString())
                            .doesNotContain("`x`")
                            .contains("default");
                });
        test.schemas.setRules(owner, "a", new AccessRules(false, null, Set.of(), Set.of("x")));
        fields("[0].x", () -> test.one(editor, "a", "{'y': '1'}"));
        test.schema(owner, "b", "x text required default=\"new\"");
        test.schemas.setRules(owner, "b", new AccessRules(false, null, Set.of("x"), Set.of()));
        var id = test.one(editor, "b", "{}");
        assertThat(test.get(owner, "b", id).values()).hasToString("{\"x\":\"new\"}");
        assertThat(test.get(editor, "b", id).values()).hasToString("{}");
    }

    @Test
    void aRuleThatWasSetElsewhereBindsAtOnce() {
        var id = test.one(owner, "task", "{'title': 'a', 'cost': 5}");
        assertThat(test.get(editor, "task", id).values().has("cost")).isTrue();
        rules(new AccessRules(false, null, Set.of("cost"), Set.of()));
        assertThat(test.get(editor, "task", id).values().has("cost")).isFalse();
    }

    private void rules(AccessRules rules) {
        test.schemas.setRules(owner, "task", rules);
    }

    private static void gone(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("records.no-record"));
    }

    private static void fields(String field, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.fields())
                                .extracting(FieldError::field)
                                .containsExactly(field));
    }
}
