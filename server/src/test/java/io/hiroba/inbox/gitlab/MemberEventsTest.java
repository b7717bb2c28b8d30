package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.ResourceType;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Members, access tokens, keys and pushes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemberEventsTest {

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        gitlab.person(2, "ann");
        gitlab.person(3, "bob");
        gitlab.person(4, "cleo");
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        gitlab.close();
    }

    private void member(String event, int group, int number, String name, String access, int minute) {
        gitlab.hook("""
                {'created_at': '2026-05-05T10:00:00Z', 'updated_at': '2026-05-05T10:%02d:00Z', 'group_name': 'Crew',
                 'group_path': 'crew%d', 'group_id': %d, 'user_username': '%s', 'user_name': 'N', 'user_email': '[REDACTED]',
                 'user_id': %d, 'group_access': '%s', 'group_plan': null, 'expires_at': null, 'event_name': '%s'}
                """.formatted(minute, group, group, name, number, access, event));
    }

    private List<String> members(int group) {
        return gitlab.inbox.db.read(reads -> reads.query("""
                        SELECT p.username || ' ' || m.access || CASE WHEN m.leaves_at IS NULL THEN '' ELSE ' leaves' END
                        FROM inbox.members m
                        JOIN inbox.people p ON p.id = m.person_id
                        JOIN inbox.namespaces n ON n.id = m.namespace_id
                        WHERE n.external_id = :group ORDER BY 1
                        """)
                .bind("group", "group:" + group)
                .mapTo(String.class)
                .list());
    }

    @Test
    void whoComesAndGoesIsKeptAndWhatIsNewestCounts() {
        member("user_add_to_group", 1, 2, "ann", "Developer", 0);
        member("user_update_for_group", 1, 2, "ann", "Owner", 5);
        member("user_update_for_group", 1, 2, "ann", "Guest", 3);
        assertThat(members(1)).containsExactly("ann 50");
        member("user_remove_from_group", 1, 2, "ann", "Owner", 5);
        member("user_update_for_group", 1, 2, "ann", "Owner", 5);
        assertThat(members(1)).containsExactly("ann 0 leaves");
        member("user_add_to_group", 1, 2, "ann", "Reporter", 9);
        assertThat(members(1)).containsExactly("ann 20");
    }

    @Test
    void aRequestForAccessGoesToOwnersAndOnlyItsOwnAnswerEndsIt() {
        member("user_add_to_group", 2, 2, "ann", "Maintainer", 0);
        member("user_access_request_to_group", 2, 3, "bob", "Guest", 1);
        member("user_access_request_to_group", 2, 4, "cleo", "Guest", 1);
        assertThat(gitlab.pending("ann").stream()
                        .filter(item -> item.startsWith("member"))
                        .count())
                .isEqualTo(2);
        member("user_access_request_denied_for_group", 2, 3, "bob", "Guest", 2);
        assertThat(gitlab.pending("ann").stream()
                        .filter(item -> item.startsWith("member"))
                        .count())
                .isEqualTo(1);
        member("user_add_to_group", 2, 4, "cleo", "Guest", 3);
        assertThat(gitlab.pending("ann")).noneMatch(item -> item.startsWith("member"));
        member("user_access_request_to_group", 2, 4, "cleo", "Guest", 1);
        assertThat(gitlab.pending("ann")).noneMatch(item -> item.startsWith("member"));
    }

    @Test
    void whereNoOwnerIsKnownAdminsAreAsked() {
        var admin = gitlab.inbox.accounts.admin();
        member("user_access_request_to_group", 3, 3, "bob", "Guest", 1);
        member("user_access_request_to_group", 3, 3, "bob", "Guest", 1);
        assertThat(gitlab.inbox.items(admin))
                .as("told once, however often it comes")
                .containsOnlyOnce("10:todo");
    }

    @Test
    void aMembersEventOfAProjectIsAboutTheProject() {
        gitlab.hook("""
                {'created_at': '2026-05-05T10:00:00Z', 'updated_at': '2026-05-05T10:01:00Z', 'event_name': 'user_add_to_team',
                 'access_level': 'Maintainer', 'project_id': 74, 'project_name': 'Store', 'project_path': 'store',
                 'project_path_with_namespace': 'jo/store', 'user_username': 'cleo', 'user_id': 4}
                """);
        gitlab.hook("""
                {'object_kind': 'access_token', 'event_name': 'expiring_access_token',
                 'project': {'id': 74, 'path_with_namespace': 'jo/store', 'web_url': 'https://git.example/jo/store'},
                 'object_attributes': {'user_id': 90, 'created_at': '2026-01-24 16:27:40 UTC', 'id': 25, 'name': 'ci',
                     'expires_at': '2026-05-12'}}
                """);
        assertThat(gitlab.items("cleo")).anyMatch(item -> item.startsWith("access_token_expiring namespace"));
    }

    @Test
    void aKeyIsMirroredAndItsRemovalCountsWhicheverEventComesFirst() {
        var key = """
                {'event_name': '%s', 'created_at': '2026-05-05 18:45:16 UTC', 'updated_at': '2026-05-05T07:38:22Z',
                 'username': 'ann', 'key': 'ssh-ed25519 QUJD ann@boat', 'id': %d}
                """;
        gitlab.hook(key.formatted("key_create", 4));
        assertThat(gitlab.resource(ResourceType.SSH_KEY, "4")).isEqualTo("ann@boat | active");
        gitlab.hook(key.formatted("key_create", 6).replace(" ann@boat", ""));
        assertThat(gitlab.resource(ResourceType.SSH_KEY, "6")).isEqualTo("ann (ssh-ed25519) | active");
        gitlab.hook(key.formatted("key_destroy", 4));
        gitlab.hook(key.formatted("key_destroy", 5));
        gitlab.hook(key.formatted("key_create", 5));
        assertThat(gitlab.resource(ResourceType.SSH_KEY, "4")).endsWith("removed");
        assertThat(gitlab.resource(ResourceType.SSH_KEY, "5")).endsWith("removed");
    }

    @Test
    void aPushNotifiesMentionedPeopleOnceHoweverManyBranchesHaveTheCommit() {
        var push = """
                {'object_kind': 'push', 'event_name': 'push', 'ref': 'refs/heads/%s', 'user_id': 3, 'user_username': 'bob',
                 'user_name': 'Bob', 'project_id': 15, 'project': {'id': 15, 'path_with_namespace': 'harbour/rope'},
                 'commits': [{'id': 'f00', 'message': 'Splice, thanks to @ann\\n\\nSigned-off-by: ann@boat.example',
                              'timestamp': '2026-05-05T23:36:29+02:00', 'author': {'name': 'B', 'email': 'b@boat.example'}},
                             {'id': 'f01', 'message': 'Nothing', 'timestamp': '2026-05-05T23:36:30+02:00'}],
                 'total_commits_count': 2}
                """;
        gitlab.hook(push.formatted("main"));
        gitlab.hook("""
                {'object_kind': 'build', 'ref': 'main', 'sha': 'f00', 'build_id': 7, 'build_status': 'failed', 'pipeline_id': 3,
                 'build_finished_at': '2026-05-06T10:00:00Z', 'user': {'id': 3}, 'project_id': 15,
                 'commit': {'id': 3, 'sha': 'f00', 'message': 'Splice', 'finished_at': '2026-05-06T10:00:00Z'},
                 'project': {'id': 15, 'path_with_namespace': 'harbour/rope'}}
                """);
        gitlab.hook(push.formatted("other"));
        assertThat(gitlab.items("ann")).containsOnlyOnce("mentioned commit 15:f00 todo");
        assertThat(gitlab.resource(ResourceType.COMMIT, "15:f01")).isEqualTo("none");
    }
}
