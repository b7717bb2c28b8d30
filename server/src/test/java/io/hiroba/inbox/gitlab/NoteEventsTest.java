package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.SnoozeEvent;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NoteEventsTest {

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        gitlab.person(1, "root");
        gitlab.person(2, "ann");
        gitlab.person(3, "bob");
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        gitlab.close();
    }

    private static String note(int id, int minute, String actor, String text, String attributes, String target) {
        int number = actor.equals("ann") ? 2 : actor.equals("bob") ? 3 : 1;
        return """
                {'object_kind': 'note', 'event_type': 'note', 'user': {'id': %d, 'username': '%s'}, 'project_id': 5,
                 'project': {'id': 5, 'path_with_namespace': 'harbour/quay', 'web_url': 'https://git.example/harbour/quay'},
                 'object_attributes': {'id': %d, 'note': '%s', 'author_id': %d,
                     'created_at': '2026-05-02 09:00:00 UTC', 'updated_at': '2026-05-02 09:%02d:00 UTC',
                     'url': 'https://git.example/harbour/quay/-/issues/1#note_%d', %s},
                 %s}
                """.formatted(number, actor, id, text, number, minute, id, attributes, target);
    }

    private static String onIssue(int id) {
        return "'issue': {'id': %d, 'iid': 1, 'title': 'Mooring', 'state': 'opened', 'author_id': 1, ".formatted(id)
                + "'created_at': '2026-05-02 08:00:00 UTC', 'updated_at': '2026-05-02 08:30:00 UTC'}";
    }

    private static final String CREATED = "'noteable_type': 'Issue', 'action': 'create'";
    private static final String EDITED = "'noteable_type': 'Issue', 'action': 'update'";

    @Test
    void aCommentNotifiesThoseItMentionsAboutItself() {
        gitlab.hook(note(101, 0, "root", "@ann and @bob: please look. `@root`", CREATED, onIssue(50)));
        gitlab.hook(note(102, 1, "root", "I think @bob is right", CREATED, onIssue(50)));
        assertThat(gitlab.items("ann")).contains("directly_addressed note 101 todo");
        assertThat(gitlab.items("bob")).contains("directly_addressed note 101 todo", "mentioned note 102 todo");
        assertThat(gitlab.resource(ResourceType.NOTE, "102")).isEqualTo("I think @bob is right | opened");
        assertThat(gitlab.resource(ResourceType.ISSUE, "50")).isEqualTo("Mooring | opened | issue");
    }

    @Test
    void whoCommentsHasAnsweredWhatWasAskedOfThemAboutTheIssueAndItsComments() {
        gitlab.hook(note(103, 0, "root", "@ann @bob ?", CREATED, onIssue(51)));
        gitlab.hook(note(104, 5, "ann", "Yes, @ann says so", CREATED, onIssue(51)));
        assertThat(gitlab.items("ann"))
                .contains("directly_addressed note 103 done")
                .noneMatch(i -> i.contains("104"));
        assertThat(gitlab.items("bob")).contains("directly_addressed note 103 todo");
    }

    @Test
    void anEditedCommentNotifiesOnlyTheNewlyMentioned() {
        gitlab.hook(note(105, 0, "root", "Hello @ann", CREATED, onIssue(52)));
        gitlab.hook(note(105, 5, "root", "Hello @ann and @bob", EDITED, onIssue(52)));
        assertThat(gitlab.items("ann")).containsOnlyOnce("mentioned note 105 todo");
        assertThat(gitlab.items("bob")).contains("mentioned note 105 todo");
    }

    @Test
    void aCommentWhoseEditComesFirstEndsAsIfItHadComeInOrder() {
        gitlab.hook(note(106, 5, "root", "Hello @ann and @bob", EDITED, onIssue(53)));
        gitlab.hook(note(107, 3, "ann", "Here I am", CREATED, onIssue(53)));
        gitlab.hook(note(106, 0, "root", "Hello @ann", CREATED, onIssue(53)));
        assertThat(gitlab.pending("ann")).noneMatch(item -> item.contains("note 106"));
        assertThat(gitlab.pending("bob")).contains("mentioned note 106 todo");
    }

    @Test
    void aCommentOnACommitOrASnippetCountsToo() {
        gitlab.hook(
                note(
                        108,
                        0,
                        "root",
                        "@ann broken",
                        "'noteable_type': 'Commit', 'commit_id': 'abc123'",
                        "'commit': {'id': 'abc123', 'message': 'Paint it blue\\n\\nAll of it', 'timestamp': '2026-05-02T10:00:00+02:00'}"));
        gitlab.hook(note(
                109,
                0,
                "root",
                "@ann nice",
                "'noteable_type': 'Snippet', 'noteable_id': 3",
                "'snippet': {'id': 3, 'title': 'A snippet'}"));
        assertThat(gitlab.items("ann"))
                .contains("directly_addressed note 108 todo", "directly_addressed note 109 todo");
        assertThat(gitlab.resource(ResourceType.COMMIT, "5:abc123")).isEqualTo("Paint it blue | pushed");
    }

    @Test
    void systemNotesNotifyOnlyOfRemovalsFromTheMergeTrain() {
        var request = "'merge_request': {'id': 60, 'iid': 2, 'title': 'Tow', 'state': 'opened', 'author_id': 2, "
                + "'updated_at': '2026-05-02 08:30:00 UTC'}";
        assertThat(gitlab.hook(note(110, 0, "root", "assigned to @bob", "'system': true", onIssue(54))))
                .isInstanceOf(DeliveryOutcome.Ignored.class);
        gitlab.hook(note(
                111,
                0,
                "root",
                "removed this merge request from the merge train because it conflicts",
                "'noteable_type': 'MergeRequest', 'system': true",
                request));
        assertThat(gitlab.items("ann")).contains("merge_train_removed merge_request 60 todo");
    }

    @Test
    void anEmojiAnswersAndTakingItBackDoesNot() {
        gitlab.hook(note(112, 0, "root", "@ann @bob ok?", CREATED, onIssue(55)));
        var emoji = """
                {'object_kind': 'emoji', 'event_type': '%s', 'user': {'id': %d, 'username': '%s'}, 'project_id': 5,
                 'project': {'id': 5, 'path_with_namespace': 'harbour/quay'},
                 'object_attributes': {'user_id': %d, 'created_at': '2026-05-02 09:30:00 UTC', 'name': 'thumbsup',
                     'awardable_type': 'Note', 'awardable_id': 112, 'action': '%s',
                     'awarded_on_url': 'https://git.example/harbour/quay/-/issues/1#note_112'},
                 'note': {'id': 112, 'note': '@ann @bob ok?', 'noteable_type': 'Issue', 'noteable_id': 55,
                          'updated_at': '2026-05-02 09:00:00 UTC'}, %s}
                """;
        gitlab.hook(emoji.formatted("award", 2, "ann", 2, "award", onIssue(55)));
        gitlab.hook(emoji.formatted("revoke", 3, "bob", 3, "revoke", onIssue(55)));
        assertThat(gitlab.items("ann")).contains("directly_addressed note 112 done");
        assertThat(gitlab.items("bob")).contains("directly_addressed note 112 todo");
    }

    @Test
    void aCommentThatIsHandledAgainWakesNothing() {
        gitlab.hook(note(190, 0, "root", "@bob: please look", CREATED, onIssue(59)));
        var comment = gitlab.call(note(191, 1, "root", "Anybody?", CREATED, onIssue(59)));
        gitlab.snooze("bob", SnoozeEvent.COMMENT);
        gitlab.inbox.db.useTransaction(tx -> gitlab.events.handle(tx, comment));
        assertThat(gitlab.items("bob")).contains("directly_addressed note 190 todo");
        gitlab.inbox.accounts.clock.advance(Duration.ofMinutes(1));
        gitlab.snooze("bob", SnoozeEvent.COMMENT);
        gitlab.inbox.db.useTransaction(tx -> gitlab.events.handle(tx, comment));
        assertThat(gitlab.items("bob")).contains("directly_addressed note 190 snoozed");
    }
}
