package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.InboxFilter;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IssueEventsTest {

    private static final String FORM = """
            {'object_kind': '%s', 'event_type': 'issue',
             'user': {'id': %d, 'name': 'N', 'username': '%s', 'avatar_url': null, 'email': '[REDACTED]'},
             'project': {'id': 9, 'name': 'Boat', 'web_url': 'https://git.example/harbour/boat',
                         'path_with_namespace': 'harbour/boat', 'visibility_level': 20},
             'object_attributes': {'id': %d, 'iid': 4, 'title': 'Leak in the hull', 'author_id': 1,
                 'created_at': '2026-05-01 10:00:00 UTC', 'updated_at': '2026-05-01 10:%02d:00 UTC',
                 'type': '%s', 'url': 'https://git.example/harbour/boat/-/issues/4',
                 'some_new_field': [1, {'a': null}], %s},
             'repository': {'name': 'Boat'}, 'labels': [] %s}
            """;

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        gitlab.person(1, "root");
        gitlab.person(2, "ann");
        gitlab.person(3, "bob");
        gitlab.person(4, "cleo");
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        gitlab.close();
    }

    /** The description that is kept of an issue; empty for none. */
    private String description(String id) {
        return gitlab.inbox.db.read(
                reads -> reads.query("""
                SELECT coalesce(max(t.description), '') FROM inbox.resource_text t
                JOIN inbox.resources r ON r.id = t.id WHERE r.external_id = :id
                """).bind("id", id).mapTo(String.class).one());
    }

    private static String issue(int id, int minute, String actor, String attributes, String rest) {
        int number = actor.equals("ann") ? 2 : actor.equals("bob") ? 3 : 1;
        return FORM.formatted("issue", number, actor, id, minute, "Issue", attributes, rest);
    }

    private static String assignees(String... names) {
        var list = new StringBuilder(", 'assignees': [");
        for (int i = 0; i < names.length; i++) {
            list.append(i == 0 ? "" : ", ").append("{'name': 'X', 'username': '%s'}".formatted(names[i]));
        }
        return list.append("]").toString();
    }

    @Test
    void openingAnIssueNotifiesItsAssigneesAndThoseItMentions() {
        gitlab.hook(issue(
                10,
                0,
                "root",
                "'action': 'open', 'state': 'opened', 'description': 'See `@cleo`; @bob knows, a@cleo.example not, @all'",
                assignees("ann")));
        assertThat(gitlab.items("ann")).contains("assigned issue 10 todo");
        assertThat(gitlab.items("bob")).contains("mentioned issue 10 todo");
        assertThat(gitlab.items("cleo")).doesNotContain("mentioned issue 10 todo");
        assertThat(gitlab.resource(ResourceType.ISSUE, "10")).isEqualTo("Leak in the hull | opened | issue");
    }

    @Test
    void aTimeInTheFutureStopsNoLaterEvent() {
        var open = issue(78, 0, "root", "'action': 'open', 'state': 'opened'", assignees("ann"));
        gitlab.hook(open.replace("2026-05-01 10:00:00", "2999-05-01 10:00:00"));
        gitlab.inbox.accounts.clock.advance(Duration.ofMinutes(1));
        var close = issue(78, 1, "root", "'action': 'close', 'state': 'closed'", assignees("ann"));
        var now = gitlab.inbox.accounts.clock.instant().toString();
        gitlab.hook(close.replace("2026-05-01 10:01:00 UTC", now));
        var changed = gitlab.hook(issue(78, 2, "root", "'state': 'closed'", assignees("ann")));
        assertThat(changed).isEqualTo(DeliveryOutcome.handled(Text.of("inbox.outcome.issue-changed", "id", "78")));
        assertThat(gitlab.resource(ResourceType.ISSUE, "78")).isEqualTo("Leak in the hull | closed | issue");
        assertThat(gitlab.items("ann")).contains("assigned issue 78 done");
    }

    @Test
    void somebodyInAListWithoutNumbersIsKnownByTheirName() {
        gitlab.hook(
                issue(77, 0, "root", "'action': 'open', 'state': 'opened', 'assignee_ids': [51]", assignees("ann")));
        assertThat(gitlab.items("ann")).contains("assigned issue 77 todo");
    }

    @Test
    void whoIsTakenOffIsAskedNoLongerAndWhoIsPutOnIs() {
        gitlab.hook(issue(11, 0, "root", "'action': 'open', 'state': 'opened'", assignees("ann")));
        gitlab.hook(
                issue(
                        11,
                        5,
                        "root",
                        "'action': 'update', 'state': 'opened'",
                        assignees("bob")
                                + ", 'changes': {'assignees': {'previous': [{'username': 'ann'}], 'current': [{'username': 'bob'}]}}"));
        assertThat(gitlab.items("ann")).contains("assigned issue 11 done");
        assertThat(gitlab.items("bob")).contains("assigned issue 11 todo");
    }

    @Test
    void anAssignmentThatWasMissedIsSeenByTheDifference() {
        gitlab.hook(issue(12, 0, "root", "'action': 'open', 'state': 'opened', 'assignee_ids': []", ""));
        gitlab.hook(issue(12, 5, "root", "'action': 'update', 'state': 'opened'", assignees("ann", "bob")));
        gitlab.hook(issue(12, 6, "root", "'action': 'update', 'state': 'opened'", assignees("bob")));
        assertThat(gitlab.items("ann")).contains("assigned issue 12 done");
        assertThat(gitlab.items("bob")).contains("assigned issue 12 todo");
    }

    @Test
    void closingResolvesAssignmentsButNotMentions() {
        gitlab.hook(issue(
                13,
                0,
                "root",
                "'action': 'open', 'state': 'opened', 'description': 'cc @bob'",
                assignees("ann", "cleo")));
        gitlab.hook(issue(13, 5, "ann", "'action': 'close', 'state': 'closed'", assignees("ann", "cleo")));
        assertThat(gitlab.items("ann")).contains("assigned issue 13 done");
        assertThat(gitlab.items("cleo")).contains("assigned issue 13 done");
        assertThat(gitlab.items("bob")).contains("mentioned issue 13 todo");
        assertThat(gitlab.resource(ResourceType.ISSUE, "13")).contains("closed");
    }

    @Test
    void whoEditsHasAnsweredAndNobodyElseHas() {
        gitlab.hook(issue(14, 0, "root", "'action': 'open', 'state': 'opened'", assignees("ann", "bob")));
        gitlab.hook(issue(
                14, 5, "ann", "'action': 'update', 'state': 'opened'", assignees("ann", "bob") + ", 'changes': {}"));
        assertThat(gitlab.items("ann")).contains("assigned issue 14 done");
        assertThat(gitlab.items("bob")).contains("assigned issue 14 todo");
    }

    @Test
    void whatSomebodyGivesThemselvesStays() {
        gitlab.hook(issue(15, 0, "ann", "'action': 'open', 'state': 'opened'", assignees("ann")));
        assertThat(gitlab.items("ann")).contains("assigned issue 15 todo");
    }

    @Test
    void anEditedDescriptionNotifiesOnlyTheNewlyMentioned() {
        gitlab.hook(issue(16, 0, "root", "'action': 'open', 'state': 'opened', 'description': 'Ask @bob'", ""));
        assertThat(description("16")).isEqualTo("Ask @bob");
        gitlab.hook(issue(
                16,
                5,
                "root",
                "'action': 'update', 'state': 'opened', 'description': '@cleo ask @bob'",
                ", 'changes': {'description': {'previous': 'Ask @bob', 'current': '@cleo ask @bob'}}"));
        assertThat(gitlab.items("bob")).containsOnlyOnce("mentioned issue 16 todo");
        assertThat(gitlab.items("cleo")).contains("directly_addressed issue 16 todo");
    }

    @Test
    void otherWorkItemsAreIssuesWithTheirType() {
        for (var type : new String[][] {
            {"Epic", "epic"},
            {"Objective", "objective"},
            {"Key Result", "key_result"},
            {"Task", "task"},
            {"Incident", "incident"},
            {"Something New", "issue"}
        }) {
            gitlab.hook(FORM.formatted(
                    "work_item", 1, "root", 17, 1, type[0], "'action': 'open', 'state': 'opened'", assignees("ann")));
            assertThat(gitlab.resource(ResourceType.ISSUE, "17")).endsWith(type[1]);
        }
        assertThat(gitlab.items("ann")).containsOnlyOnce("assigned issue 17 todo");
    }

    @Test
    void aGroupsEpicBelongsToTheGroup() {
        gitlab.hook("""
                {'object_kind': 'work_item', 'user': {'id': 1, 'username': 'root'}, 'project': null,
                 'object_attributes': {'id': 18, 'title': 'Sail', 'type': 'Epic', 'action': 'open', 'state': 'opened',
                     'url': 'https://git.example/groups/harbour/fleet/-/epics/3'}}
                """);
        var path = gitlab.inbox.db.read(
                reads -> reads.query("""
                        SELECT n.path FROM inbox.resources r JOIN inbox.namespaces n ON n.id = r.namespace_id
                        WHERE r.external_id = '18'
                        """).mapTo(String.class).one());
        assertThat(path).isEqualTo("harbour/fleet");
    }

    @Test
    void aLateEventDoesNotChangeNewerState() {
        gitlab.hook(issue(19, 9, "bob", "'action': 'close', 'state': 'closed'", assignees("ann")));
        gitlab.hook(issue(19, 0, "root", "'action': 'open', 'state': 'opened'", assignees("ann")));
        assertThat(gitlab.resource(ResourceType.ISSUE, "19")).contains("closed");
        assertThat(gitlab.pending("ann")).doesNotContain("assigned issue 19 todo");
    }

    @Test
    void aPayloadWithoutAnIdIsIgnored() {
        assertThat(gitlab.hook("{'object_kind': 'issue', 'object_attributes': {'title': 'x'}}"))
                .isInstanceOf(DeliveryOutcome.Ignored.class);
        assertThat(gitlab.hook("{'object_kind': 'wiki_page', 'object_attributes': {'title': 'x'}}"))
                .isInstanceOf(DeliveryOutcome.Ignored.class);
    }

    @Test
    void whatTheDatabaseCannotHoldIsLeftOut() {
        gitlab.hook("""
                {'object_kind': 'issue', 'user': {'id': 1, 'username': 'ro\\u0000ot'},
                 'project': {'id': 9, 'path_with_namespace': 'harbour/boat'},
                 'object_attributes': {'id': 20, 'title': 'A\\u0000B \\ud800 C', 'action': 'open', 'state': 'opened',
                     'description': '@bob \\u0000'}}
                """);
        assertThat(gitlab.resource(ResourceType.ISSUE, "20")).startsWith("AB");
        assertThat(gitlab.items("bob")).contains("directly_addressed issue 20 todo");
    }

    @Test
    void whatItsOwnerTookBackAfterTheCloseStaysWhenALabelIsEdited() {
        gitlab.hook(issue(21, 0, "root", "'action': 'open', 'state': 'opened'", assignees("cleo")));
        var closed = "'state': 'closed', 'closed_at': '2026-05-01 10:05:00 UTC'";
        gitlab.hook(issue(21, 5, "root", "'action': 'close', " + closed, assignees("cleo")));
        assertThat(gitlab.items("cleo")).contains("assigned issue 21 done");
        gitlab.inbox.db.useTransaction(tx -> tx.update("""
                UPDATE inbox.notifications SET state = 0, resolved_by_action = NULL, resolved_at = NULL
                WHERE resource_id = (SELECT id FROM inbox.resources WHERE type = 1 AND external_id = '21')
                """).execute());
        gitlab.hook(issue(
                21, 7, "root", "'action': 'update', " + closed, assignees("cleo") + ", 'changes': {'labels': {}}"));
        assertThat(gitlab.items("cleo")).contains("assigned issue 21 todo");
    }

    @Test
    void anEpicIsNotTheIssueWithItsNumber() {
        gitlab.hook(issue(22, 0, "root", "'action': 'open', 'state': 'opened'", ""));
        gitlab.hook("""
                {'object_kind': 'note', 'user': {'id': 3, 'username': 'bob'}, 'project': {'id': 9, 'path_with_namespace': 'harbour/boat'},
                 'object_attributes': {'id': 9022, 'note': '@cleo', 'updated_at': '2026-05-01 10:01:00 UTC'},
                 'epic': {'id': 22, 'title': 'Voyage', 'state': 'opened', 'updated_at': '2026-05-01 10:01:00 UTC'}}
                """);
        assertThat(gitlab.resource(ResourceType.ISSUE, "22")).startsWith("Leak");
        assertThat(gitlab.resource(ResourceType.ISSUE, "epic:22")).startsWith("Voyage");
    }

    private void markDone(String name, int number) {
        var caller = gitlab.inbox.accounts.caller(gitlab.person(number, name));
        var ids =
                gitlab.inbox.inbox.list(caller, InboxFilter.of(InboxView.TODO), Optional.empty(), 100).items().stream()
                        .map(InboxItem::id)
                        .toList();
        gitlab.inbox.inbox.done(caller, ids, Resolution.MARK_DONE);
    }

    @Test
    void reopeningBringsBackWhatClosingHadResolvedAndNothingElse() {
        var all = assignees("ann", "bob", "cleo", "root");
        gitlab.hook(issue(23, 0, "root", "'action': 'open', 'state': 'opened'", all));
        gitlab.hook(issue(23, 1, "bob", "'action': 'update', 'state': 'opened'", all));
        markDone("cleo", 4);
        gitlab.hook(issue(23, 5, "ann", "'action': 'close', 'state': 'closed'", all));
        assertThat(gitlab.pending("ann")).doesNotContain("assigned issue 23 todo");
        gitlab.hook(issue(23, 6, "bob", "'action': 'update', 'state': 'closed'", assignees("ann", "bob", "cleo")));
        gitlab.hook(issue(23, 7, "ann", "'action': 'reopen', 'state': 'opened'", assignees("ann", "bob", "cleo")));
        assertThat(gitlab.items("ann")).as("who closed and reopened it").containsOnlyOnce("assigned issue 23 todo");
        assertThat(gitlab.pending("bob")).as("who had answered").doesNotContain("assigned issue 23 todo");
        assertThat(gitlab.pending("cleo")).as("who was done").doesNotContain("assigned issue 23 todo");
        assertThat(gitlab.pending("root")).as("who was taken off").doesNotContain("assigned issue 23 todo");
        gitlab.hook(issue(23, 9, "bob", "'action': 'close', 'state': 'closed'", assignees("ann")));
        assertThat(gitlab.pending("ann")).doesNotContain("assigned issue 23 todo");
    }

    @Test
    void aReopeningCountsAlsoIfItArrivesBeforeTheClosingOrIsMissed() {
        gitlab.hook(issue(24, 0, "root", "'action': 'open', 'state': 'opened'", assignees("ann")));
        gitlab.hook(issue(24, 7, "root", "'action': 'reopen', 'state': 'opened'", assignees("ann")));
        gitlab.hook(issue(24, 5, "root", "'action': 'close', 'state': 'closed'", assignees("ann")));
        gitlab.hook(issue(25, 0, "root", "'action': 'open', 'state': 'opened'", assignees("ann")));
        gitlab.hook(issue(25, 5, "root", "'action': 'close', 'state': 'closed'", assignees("ann")));
        gitlab.hook(issue(25, 7, "root", "'action': 'update', 'state': 'opened'", assignees("ann")));
        assertThat(gitlab.items("ann")).contains("assigned issue 24 todo", "assigned issue 25 todo");
    }

    @Test
    void whatItsOwnerHasDoneStaysDoneWhenTheAssignmentArrivesLate() {
        gitlab.hook(issue(26, 5, "root", "'action': 'update', 'state': 'opened'", assignees("cleo")));
        assertThat(gitlab.pending("cleo")).contains("assigned issue 26 todo");
        markDone("cleo", 4);
        gitlab.hook(issue(
                26,
                3,
                "root",
                "'action': 'update', 'state': 'opened'",
                assignees("cleo") + ", 'changes': {'assignees': {'previous': [], 'current': [{'username': 'cleo'}]}}"));
        assertThat(gitlab.items("cleo")).containsOnlyOnce("assigned issue 26 done");
        assertThat(gitlab.pending("cleo")).doesNotContain("assigned issue 26 todo");
    }

    @Test
    void anEventThatArrivesLateOrIsHandledAgainWakesNothing() {
        gitlab.hook(issue(90, 0, "root", "'action': 'open', 'state': 'opened'", assignees("cleo")));
        var changed = gitlab.call(issue(90, 5, "root", "'action': 'update', 'state': 'opened'", assignees("cleo")));
        gitlab.inbox.accounts.clock.advance(Duration.ofMinutes(1));
        gitlab.snooze("cleo", SnoozeEvent.ANY);
        gitlab.inbox.db.useTransaction(tx -> gitlab.events.handle(tx, changed));
        assertThat(gitlab.items("cleo")).as("received before").contains("assigned issue 90 snoozed");
        gitlab.hook(issue(90, 3, "root", "'action': 'update', 'state': 'opened'", assignees("cleo")));
        assertThat(gitlab.items("cleo")).as("older than what is known").contains("assigned issue 90 snoozed");
        gitlab.hook(issue(90, 6, "root", "'action': 'update', 'state': 'opened'", assignees("cleo")));
        assertThat(gitlab.items("cleo")).contains("assigned issue 90 todo");
    }

    @Test
    void anIssueWhoseIdIsTooLongIsIgnored() {
        var outcome = gitlab.hook(issue(91, 0, "root", "'action': 'open', 'state': 'opened'", "")
                .replace("'id': 91,", "'id': '%s',".formatted("9".repeat(600))));
        assertThat(outcome).isInstanceOf(DeliveryOutcome.Ignored.class);
    }

    @Test
    void whoeverTakesAUserNameOverIsSomebodyElse() {
        gitlab.person(901, "bolab");
        gitlab.hook("""
                {'event_name': 'user_rename', 'user_id': 901, 'username': 'bonew', 'old_username': 'bolab', 'name': 'Bo',
                 'created_at': '2026-05-03T09:00:00Z', 'updated_at': '2026-05-03T09:30:00Z'}
                """);
        gitlab.hook("""
                {'object_kind': 'issue', 'user': {'id': 1, 'username': 'root'},
                 'project': {'id': 9, 'path_with_namespace': 'harbour/boat', 'web_url': 'https://git.example/harbour/boat'},
                 'object_attributes': {'id': 990, 'iid': 90, 'title': 'For the new one', 'description': 'See @bolab and @bonew',
                     'author_id': 1, 'state': 'opened', 'action': 'open', 'created_at': '2026-05-03T10:00:00Z',
                     'updated_at': '2026-05-03T10:00:00Z'}}
                """);
        gitlab.hook("""
                {'object_kind': 'issue', 'user': {'id': 1, 'username': 'root'},
                 'project': {'id': 9, 'path_with_namespace': 'harbour/boat', 'web_url': 'https://git.example/harbour/boat'},
                 'object_attributes': {'id': 991, 'iid': 91, 'title': 'For the new one', 'description': 'See @bolab',
                     'author_id': 1, 'state': 'opened', 'action': 'open', 'created_at': '2026-05-03T10:00:00Z',
                     'updated_at': '2026-05-03T10:00:00Z'}}
                """);
        assertThat(gitlab.items("bolab")).containsExactly("mentioned issue 990 todo");
    }
}
