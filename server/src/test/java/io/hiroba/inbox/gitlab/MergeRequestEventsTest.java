package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.SnoozeEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MergeRequestEventsTest {

    private static final Map<String, Integer> NUMBERS =
            Map.of("root", 1, "ann", 2, "bob", 3, "cleo", 4, "dora", 5, "fay", 6);

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        NUMBERS.forEach((name, number) -> gitlab.person(number, name));
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        gitlab.close();
    }

    /** The author is ann. */
    private void request(int id, int minute, String actor, String action, String attributes, String rest) {
        var state = action.equals("merge") ? "merged" : action.equals("close") ? "closed" : "opened";
        gitlab.hook("""
                {'object_kind': 'merge_request', 'event_type': 'merge_request',
                 'user': {'id': %d, 'username': '%s'},
                 'project': {'id': 9, 'path_with_namespace': 'harbour/boat', 'web_url': 'https://git.example/harbour/boat'},
                 'object_attributes': {'id': %d, 'iid': 8, 'title': 'Mend the hull', 'author_id': 2, 'state': '%s',
                     'created_at': '2026-05-03T10:00:00Z', 'updated_at': '2026-05-03T10:%02d:00.000Z',
                     'action': '%s', 'draft': false, 'target_project_id': 9 %s} %s}
                """.formatted(NUMBERS.get(actor), actor, id, state, minute, action, attributes, rest));
    }

    private static String list(String name, String... people) {
        var list = new StringBuilder(", '" + name + "': [");
        for (int i = 0; i < people.length; i++) {
            list.append(i == 0 ? "" : ", ").append(person(people[i], ""));
        }
        return list.append("]").toString();
    }

    private static String person(String name, String more) {
        return "{'id': %d, 'username': '%s', 'name': 'X' %s}".formatted(NUMBERS.get(name), name, more);
    }

    @Test
    void openingAsksAssigneesAndReviewers() {
        request(
                1,
                0,
                "ann",
                "open",
                ", 'description': '@root look'",
                list("assignees", "ann") + list("reviewers", "bob"));
        assertThat(gitlab.items("ann")).contains("assigned merge_request 1 todo");
        assertThat(gitlab.items("bob")).contains("review_requested merge_request 1 todo");
        assertThat(gitlab.items("root")).contains("directly_addressed merge_request 1 todo");
    }

    @Test
    void reopeningAsksAgainForWhatClosingHadResolved() {
        var people = list("assignees", "root") + list("reviewers", "bob", "cleo");
        request(63, 0, "ann", "open", ", 'detailed_merge_status': 'conflict'", people);
        request(63, 2, "bob", "approved", "", people);
        request(63, 5, "ann", "close", "", people);
        assertThat(gitlab.pending("cleo")).doesNotContain("review_requested merge_request 63 todo");
        request(63, 7, "ann", "reopen", ", 'detailed_merge_status': 'checking'", people);
        assertThat(gitlab.pending("cleo")).contains("review_requested merge_request 63 todo");
        assertThat(gitlab.pending("root"))
                .contains("assigned merge_request 63 todo", "unmergeable merge_request 63 todo");
        assertThat(gitlab.pending("bob")).doesNotContain("review_requested merge_request 63 todo");
    }

    @Test
    void mergingResolvesTheRequestsToEverybody() {
        request(2, 0, "ann", "open", ", 'detailed_merge_status': 'conflict'", list("reviewers", "bob", "cleo"));
        assertThat(gitlab.pending("ann")).contains("unmergeable merge_request 2 todo");
        request(2, 5, "root", "merge", ", 'detailed_merge_status': 'not_open'", list("reviewers", "bob", "cleo"));
        assertThat(gitlab.items("bob")).contains("review_requested merge_request 2 done");
        assertThat(gitlab.items("cleo")).contains("review_requested merge_request 2 done");
        assertThat(gitlab.pending("ann")).noneMatch(item -> item.contains("merge_request 2 "));
        assertThat(gitlab.resource(ResourceType.MERGE_REQUEST, "2")).contains("merged");
    }

    @Test
    void whoIsAddedIsAskedWhoIsRemovedIsNotAndWhoIsAskedAnewIsAskedAgain() {
        request(3, 0, "ann", "open", "", list("reviewers", "bob"));
        request(3, 1, "bob", "approval", "", list("reviewers", "bob"));
        assertThat(gitlab.pending("bob")).noneMatch(item -> item.contains("merge_request 3 "));
        request(
                3,
                2,
                "ann",
                "update",
                "",
                list("reviewers", "bob", "cleo")
                        + ", 'changes': {'reviewers': {'previous': [[" + person("bob", ", 're_requested': false")
                        + "]], 'current': [[" + person("bob", ", 're_requested': true") + ", " + person("cleo", "")
                        + "]]}}");
        assertThat(gitlab.pending("bob")).contains("review_requested merge_request 3 todo");
        assertThat(gitlab.pending("cleo")).contains("review_requested merge_request 3 todo");
        request(
                3,
                3,
                "ann",
                "update",
                "",
                list("reviewers", "bob")
                        + ", 'changes': {'reviewers': {'previous': [" + person("bob", "") + ", " + person("cleo", "")
                        + "], 'current': [" + person("bob", "") + "]}}");
        assertThat(gitlab.pending("cleo")).noneMatch(item -> item.contains("merge_request 3 "));
    }

    @Test
    void aReviewIsNewsToTheAuthorAndDoneForTheReviewer() {
        request(4, 0, "ann", "open", "", list("assignees", "root") + list("reviewers", "bob", "cleo"));
        request(4, 0, "bob", "approved", "", list("assignees", "root") + list("reviewers", "bob", "cleo"));
        assertThat(gitlab.items("ann")).contains("review_submitted merge_request 4 todo");
        assertThat(gitlab.items("root")).contains("review_submitted merge_request 4 todo");
        assertThat(gitlab.items("bob"))
                .contains("review_requested merge_request 4 done")
                .noneMatch(item -> item.startsWith("review_submitted"));
        assertThat(gitlab.items("cleo")).contains("review_requested merge_request 4 todo");
    }

    @Test
    void aReviewWithoutApprovalIsSeenByTheReviewersState() {
        request(5, 0, "ann", "open", "", list("reviewers", "bob"));
        request(
                5,
                4,
                "bob",
                "update",
                "",
                list("reviewers", "bob")
                        + ", 'changes': {'reviewers': {'previous': [" + person("bob", ", 'state': 'unreviewed'")
                        + "], 'current': [" + person("bob", ", 'state': 'requested_changes'") + "]}}");
        assertThat(gitlab.items("ann")).contains("review_submitted merge_request 5 todo");
        assertThat(gitlab.items("bob")).contains("review_requested merge_request 5 done");
    }

    @Test
    void approversAreAskedWherePayloadsNameThemUntilItIsApproved() {
        var rules = ", 'approval_rules': [{'id': 1, 'name': 'Two eyes', 'eligible_approvers': [" + person("bob", "")
                + ", " + person("cleo", "") + "]}]";
        request(6, 0, "ann", "open", "", rules);
        assertThat(gitlab.items("bob")).contains("approval_required merge_request 6 todo");
        request(
                6,
                2,
                "ann",
                "update",
                "",
                ", 'approvers': [" + person("root", "") + "]" + rules
                        + ", 'changes': {'approvers': {'previous': [], 'current': [" + person("root", "") + "]}}");
        assertThat(gitlab.items("root")).contains("added_approver merge_request 6 todo");
        request(6, 3, "bob", "approved", "", rules);
        assertThat(gitlab.items("cleo")).contains("approval_required merge_request 6 done");
        assertThat(gitlab.items("root")).contains("added_approver merge_request 6 done");
        request(6, 4, "bob", "unapproved", "", rules);
        assertThat(gitlab.pending("cleo")).contains("approval_required merge_request 6 todo");
    }

    @Test
    void aConflictNotifiesOnceEachTimeItBeginsWhicheverEventComesFirst() {
        request(7, 0, "ann", "open", ", 'merge_status': 'unchecked'", "");
        request(7, 4, "bob", "update", ", 'detailed_merge_status': 'conflict'", "");
        request(7, 2, "bob", "update", ", 'merge_status': 'cannot_be_merged'", "");
        assertThat(gitlab.pending("ann")).containsOnlyOnce("unmergeable merge_request 7 todo");
        request(7, 5, "bob", "update", ", 'detailed_merge_status': 'mergeable'", "");
        assertThat(gitlab.pending("ann")).doesNotContain("unmergeable merge_request 7 todo");
        request(7, 9, "bob", "update", ", 'detailed_merge_status': 'conflict'", "");
        request(7, 10, "bob", "update", ", 'detailed_merge_status': 'conflict'", "");
        assertThat(gitlab.pending("ann")).containsOnlyOnce("unmergeable merge_request 7 todo");
    }

    @Test
    void aRequestThatArrivesAfterTheMergeIsDone() {
        request(8, 9, "root", "merge", "", list("reviewers", "bob"));
        request(8, 0, "ann", "open", "", list("reviewers", "bob") + list("assignees", "cleo"));
        assertThat(gitlab.pending("bob")).noneMatch(item -> item.contains("merge_request 8 "));
        assertThat(gitlab.items("cleo")).contains("assigned merge_request 8 done");
    }

    @Test
    void twoReviewsAtTheSameTimeAreTwo() {
        request(9, 0, "ann", "open", "", list("reviewers", "bob", "cleo"));
        request(9, 3, "bob", "approved", "", list("reviewers", "bob", "cleo"));
        gitlab.inbox.db.useTransaction(tx ->
                tx.update("""
                        UPDATE inbox.notifications SET state = 2, resolved_by_action = 1, resolved_at = now()
                        WHERE user_id = :user AND state < 2
                        """).bind("user", gitlab.person(2, "ann").value()).execute());
        for (int i = 0; i < 2; i++) {
            request(9, 3, "cleo", "approved", "", list("reviewers", "bob", "cleo"));
            request(9, 3, "bob", "approved", "", list("reviewers", "bob", "cleo"));
        }
        assertThat(gitlab.items("ann").stream()
                        .filter("review_submitted merge_request 9 todo"::equals)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatCannotBeMergedOnceItIsClosedIsNobodysBusiness() {
        request(10, 0, "ann", "open", "", "");
        request(10, 3, "root", "close", ", 'detailed_merge_status': 'conflict'", "");
        assertThat(gitlab.items("ann")).noneMatch(item -> item.startsWith("unmergeable merge_request 10 "));
    }

    @Test
    void whoIsNoApproverAnyMoreIsNotAskedAsOne() {
        request(11, 0, "ann", "open", "", ", 'approvers': []");
        var added = ", 'approvers': [" + person("root", "") + "]";
        var change = ", 'changes': {'approvers': {'previous': [], 'current': [" + person("root", "") + "]}}";
        request(11, 2, "ann", "update", "", added + change);
        assertThat(gitlab.items("root")).contains("added_approver merge_request 11 todo");
        request(11, 4, "ann", "update", "", ", 'approvers': []");
        assertThat(gitlab.items("root")).contains("added_approver merge_request 11 done");
    }

    @Test
    void whatWaitsForTheMergeIsBackWhenTheMergeRequestIsClosed() {
        request(70, 0, "root", "open", "", list("reviewers", "dora"));
        gitlab.snooze("dora", SnoozeEvent.MERGE);
        request(70, 1, "root", "update", "", list("reviewers", "dora"));
        assertThat(gitlab.items("dora")).contains("review_requested merge_request 70 snoozed");
        gitlab.keepResolved("dora");
        request(70, 2, "root", "close", "", list("reviewers", "dora"));
        assertThat(gitlab.items("dora")).contains("review_requested merge_request 70 todo");
    }

    @Test
    void whatWaitsForTheMergeIsBackWhenItIsMerged() {
        request(75, 0, "root", "open", "", list("reviewers", "fay"));
        request(76, 0, "root", "open", "", list("reviewers", "fay"));
        gitlab.snooze("fay", SnoozeEvent.MERGE);
        request(75, 2, "root", "merge", "", list("reviewers", "fay"));
        request(76, 2, "root", "update", ", 'state': 'merged'", list("reviewers", "fay"));
        request(75, 3, "root", "update", ", 'state': 'merged'", list("reviewers", "fay"));
        assertThat(gitlab.items("fay"))
                .contains("review_requested merge_request 75 todo", "review_requested merge_request 76 todo");
    }

    @Test
    void aMergeThatWasMissedIsSeenInALaterState() {
        request(80, 0, "root", "open", "", list("reviewers", "bob"));
        request(80, 5, "root", "update", ", 'state': 'merged'", list("reviewers", "bob"));
        assertThat(gitlab.items("bob")).contains("review_requested merge_request 80 done");
        request(80, 6, "root", "reopen", ", 'state': 'opened'", list("reviewers", "bob"));
        assertThat(gitlab.items("bob")).contains("review_requested merge_request 80 todo");
    }

    @Test
    void aMergeThatArrivesAfterALaterStateCountsFromItsOwnTime() {
        request(81, 0, "root", "open", "", list("reviewers", "bob"));
        request(81, 5, "root", "update", ", 'state': 'merged'", list("reviewers", "bob"));
        request(81, 2, "root", "merge", "", list("reviewers", "bob"));
        assertThat(gitlab.items("bob")).contains("review_requested merge_request 81 done");
        List<String> ends = gitlab.inbox.db.read(
                reads -> reads.query("""
                        SELECT DISTINCT to_char(a.resolved_until AT TIME ZONE 'UTC', 'HH24:MI:SS.US')
                        FROM inbox.auto_resolutions a JOIN inbox.resources r ON r.id = a.resource_id
                        WHERE r.type = 2 AND r.external_id = '81'
                        """).mapTo(String.class).list());
        assertThat(ends).containsExactly("10:02:00.000000");
    }
}
