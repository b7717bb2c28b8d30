package io.hiroba.inbox;

import static io.hiroba.inbox.TestInbox.GITLAB;
import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Migrations;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InboxSchemaTest {

    private TestInbox inbox;

    @BeforeAll
    void open() {
        inbox = new TestInbox();
    }

    @AfterAll
    void close() {
        inbox.close();
    }

    private List<String> strings(String sql) {
        return inbox.db.read(reads -> reads.query(sql).mapTo(String.class).list());
    }

    @Test
    void thirtyTwoPartitionsLieBesideEachOther() {
        assertThat(Migrations.of("inbox", inbox.accounts.database.config()).getPlaceholders())
                .containsEntry(Migrations.INBOX_PARTITIONS, "32");
        assertThat(strings("""
                        SELECT DISTINCT pg_get_partkeydef(parent.oid) || ' ' || count(*)
                        FROM pg_class parent JOIN pg_inherits i ON i.inhparent = parent.oid
                        WHERE parent.relkind = 'p' AND parent.relnamespace = 'inbox'::regnamespace
                        GROUP BY parent.oid
                        """)).containsExactly("HASH (user_id) " + TestDatabase.INBOX_PARTITIONS);
        assertThat(strings("""
                        SELECT parent.relname
                        FROM pg_class parent
                        WHERE parent.relkind = 'p' AND parent.relnamespace = 'inbox'::regnamespace
                          AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = parent.oid AND c.contype = 'p')
                        """)).as("partitioned tables without a key").isEmpty();
    }

    @Test
    void everyTypeHasALinkTableOfItsOwn() {
        for (var type : ResourceType.values()) {
            assertThat(strings("""
                            SELECT pg_get_constraintdef(oid) FROM pg_constraint
                            WHERE conrelid = '%s'::regclass AND contype = 'c'
                            """.formatted(type.links())))
                    .as(type.text())
                    .containsExactly("CHECK ((resource_type = %d))".formatted(type.code()));
        }
    }

    @Test
    void actionsAndResolutionsHaveGitlabsNumbers() {
        var actions = List.of(
                "assigned",
                "mentioned",
                "build_failed",
                "marked",
                "approval_required",
                "unmergeable",
                "directly_addressed",
                "merge_train_removed",
                "review_requested",
                "member_access_requested",
                "review_submitted",
                "okr_checkin_requested",
                "added_approver",
                "ssh_key_expired",
                "ssh_key_expiring_soon");
        assertThat(actions.stream().map(text -> Action.find(text).orElseThrow().code()))
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(Stream.of(Resolution.values()).map(one -> one.code() + " " + one.text()))
                .containsExactly("0 system_done", "1 api_all_done", "2 api_done", "3 mark_all_done", "4 mark_done");
    }

    @Test
    void workItemsAreOfKnownTypes() {
        for (var type : List.of("issue", "task", "incident", "epic", "objective", "key_result")) {
            inbox.mirror("a/b", "work-" + type, new ResourceDetails.Issue(1L, type));
        }
        assertThatThrownBy(() -> inbox.mirror("a/b", "work-song", new ResourceDetails.Issue(1L, "song")))
                .hasStackTraceContaining("violates check constraint");
    }

    @Test
    void itemsMoveWithTheirResource() {
        var ann = inbox.linked("ann");
        var issue = inbox.issue("a/b", "moving");
        inbox.notifyPeople(NotificationRequest.of(issue, Action.ASSIGNED, NotificationAuthor.NOBODY, NOON), ann);
        var elsewhere = inbox.db.inTransaction(tx -> inbox.namespaces.at(tx, GITLAB, "c/d/e"));
        inbox.db.useTransaction(tx -> inbox.resources.upsert(
                tx,
                new ResourceSnapshot(
                        GITLAB,
                        elsewhere.id(),
                        "moving",
                        "Moved",
                        null,
                        "opened",
                        NOON.plusSeconds(1),
                        new ResourceDetails.Issue(1L, "issue"))));
        assertThat(strings("""
                        SELECT n.path FROM inbox.notifications i
                        JOIN inbox.issue_notifications l ON l.user_id = i.user_id AND l.notification_id = i.id
                             AND l.namespace_id = i.namespace_id
                        JOIN inbox.namespaces n ON n.id = i.namespace_id
                        WHERE i.user_id = %d
                        """.formatted(Objects.requireNonNull(ann.user()).value())))
                .containsExactly("c/d/e");
        var lineage = inbox.db.read(reads -> inbox.namespaces.lineage(reads, elsewhere.id()));
        assertThat(lineage).hasSize(3);
    }

    @Test
    void aProjectThatIsRenamedStaysTheSame() {
        var before = inbox.db.inTransaction(tx -> inbox.namespaces.at(tx, GITLAB, "old/name", "project:9", null));
        var after = inbox.db.inTransaction(tx -> inbox.namespaces.at(tx, GITLAB, "new/name", "project:9", null));
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(after.path()).isEqualTo("new/name");
        var another = inbox.db.inTransaction(tx -> inbox.namespaces.at(tx, GITLAB, "new/name", "project:10", null));
        assertThat(another.id()).isNotEqualTo(before.id());
    }
}
