package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.InboxFilter;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ItemSort;
import io.hiroba.inbox.TestInbox;
import io.hiroba.inbox.fanout.NamespaceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Groups and projects: by id, by name and by path, created, renamed, deleted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GitlabNamespacesTest {

    private TestGitlab gitlab;

    @BeforeAll
    void open() {
        gitlab = new TestGitlab();
        gitlab.person(2, "ann");
        gitlab.person(3, "bob");
    }

    @AfterAll
    void close() {
        assertThat(gitlab.inbox.miscounted()).isEmpty();
        assertThat(gitlab.inbox.accounts.count("""
                        SELECT (SELECT count(*) FROM inbox.namespaces WHERE path || name ~ '(group|project):')
                             + (SELECT count(*) FROM inbox.resources WHERE title ~ '(group|project):')
                        """))
                .as("ids that a reader would see")
                .isZero();
        gitlab.close();
    }

    private void member(String event, int group, int number, String name, String access, int minute) {
        gitlab.hook("""
                {'updated_at': '2026-05-05T10:%02d:00Z', 'group_name': 'Crew', 'group_path': 'crew%d', 'group_id': %d,
                 'user_username': '%s', 'user_id': %d, 'group_access': '%s', 'event_name': '%s'}
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
    void lateEventsDoNotRestoreADeletedProject() {
        var project = """
                {'event_name': '%s', 'created_at': '2026-05-05T10:43:48Z', 'updated_at': '2026-05-05T10:43:48Z',
                 'name': 'wreck', 'path': 'wreck', 'path_with_namespace': 'harbour/wreck', 'project_id': 22}
                """;
        var issue = """
                {'object_kind': 'issue', 'user': {'id': 3, 'username': 'bob'},
                 'project': {'id': 22, 'path_with_namespace': 'harbour/wreck'},
                 'object_attributes': {'id': %d, 'title': 'Sink', 'action': 'open', 'state': 'opened'},
                 'assignees': [{'username': 'ann'}]}
                """;
        gitlab.hook(project.formatted("project_create"));
        gitlab.hook(issue.formatted(900));
        assertThat(gitlab.items("ann")).contains("assigned issue 900 todo");
        gitlab.hook(project.formatted("project_destroy"));
        assertThat(gitlab.items("ann")).doesNotContain("assigned issue 900 todo");
        assertThat(gitlab.hook(issue.formatted(901))).isInstanceOf(DeliveryOutcome.Ignored.class);
    }

    @Test
    void aSubgroupStaysBelowItsGroupWhenMemberEventsHaveItsShortPath() {
        gitlab.hook("""
                {'event_name': 'subgroup_create', 'name': 'deck', 'path': 'deck', 'full_path': 'crew/deck', 'group_id': 10,
                 'parent_group_id': 7, 'parent_full_path': 'crew', 'updated_at': '2026-05-05T10:00:00Z'}
                """);
        gitlab.hook("""
                {'event_name': 'user_add_to_group', 'group_path': 'deck', 'group_name': 'deck', 'group_id': 10,
                 'group_access': 'Guest', 'user_id': 2, 'user_username': 'ann', 'updated_at': '2026-05-05T10:01:00Z'}
                """);
        var path = gitlab.inbox.db.read(
                reads -> reads.query("SELECT path FROM inbox.namespaces WHERE external_id = 'group:10'")
                        .mapTo(String.class)
                        .one());
        assertThat(path).isEqualTo("crew/deck");
    }

    private String path(String externalId) {
        return gitlab.inbox.db.read(
                reads -> reads.query("SELECT path FROM inbox.namespaces WHERE external_id = :external")
                        .bind("external", externalId)
                        .mapTo(String.class)
                        .findOne()
                        .orElse("none"));
    }

    private void project(int number, String path) {
        gitlab.hook("""
                {'event_name': 'project_create', 'path_with_namespace': '%s', 'project_id': %d,
                 'updated_at': '2026-05-05T10:00:00Z'}
                """.formatted(path, number));
    }

    @Test
    void aGroupWithoutItsFullPathIsNotConfusedWithAnother() {
        project(201, "north/crew20/boat");
        project(202, "south/crew20/boat");
        project(203, "east/crew21/boat");
        member("user_add_to_group", 20, 2, "ann", "Owner", 0);
        member("user_add_to_group", 21, 2, "ann", "Owner", 0);
        assertThat(path("group:20")).as("one of two, nobody knows which").isEqualTo("crew20");
        assertThat(namespaces("crew20")).hasSize(3);
        assertThat(path("group:21")).isEqualTo("east/crew21");
        gitlab.hook("""
                {'event_name': 'group_rename', 'name': 'crew20', 'path': 'crew20', 'full_path': 'west/crew20', 'group_id': 20,
                 'updated_at': '2026-05-05T11:00:00Z'}
                """);
        assertThat(path("group:20")).isEqualTo("west/crew20");
        assertThat(members(20)).containsExactly("ann 50");
    }

    @Test
    void lateEventsDoNotRestoreTheSubgroupsOfADeletedGroup() {
        var group = """
                {'event_name': '%s', 'path': 'ghost', 'full_path': 'ghost', 'group_id': 30, 'updated_at': '2026-05-05T10:00:00Z'}
                """;
        gitlab.hook(group.formatted("group_create"));
        project(301, "ghost/ship");
        gitlab.hook(group.formatted("group_destroy"));
        project(301, "ghost/ship");
        member("user_add_to_group", 30, 2, "ann", "Owner", 0);
        assertThat(List.of(path("project:301"), path("group:30"))).containsOnly("none");
    }

    private List<String> namespaces(String name) {
        return gitlab.inbox.db.read(
                reads -> reads.query("SELECT path FROM inbox.namespaces WHERE name = :name ORDER BY 1")
                        .bind("name", name)
                        .mapTo(String.class)
                        .list());
    }

    private void issue(int id, String path) {
        gitlab.hook("""
                {'object_kind': 'issue', 'user': {'id': 3, 'username': 'bob'},
                 'project': {'id': %1$d, 'path_with_namespace': '%2$s'},
                 'object_attributes': {'id': %1$d, 'title': 'Sink', 'action': 'open', 'state': 'opened'},
                 'assignees': [{'username': 'ann'}]}
                """.formatted(id, path));
    }

    /** The groups that {@code path} is below, as the members of each count for it. */
    private List<String> above(String path) {
        return gitlab.inbox.db.read(reads -> {
            var id = gitlab.inbox.namespaces.find(reads, TestInbox.GITLAB, path).orElseThrow();
            return gitlab.inbox.namespaces.lineage(reads, id.id()).stream()
                    .map(one -> gitlab.inbox
                            .namespaces
                            .find(reads, one)
                            .orElseThrow()
                            .path())
                    .toList();
        });
    }

    @Test
    void aGroupAndItsPathBecomeOneWhicheverComesFirst() {
        member("user_add_to_group", 61, 2, "ann", "Owner", 0);
        member("user_access_request_to_group", 61, 3, "bob", "Guest", 1);
        issue(6101, "crew61/app");
        issue(6201, "fleet/crew62/app");
        member("user_add_to_group", 62, 2, "ann", "Owner", 0);
        assertThat(namespaces("crew61")).containsExactly("crew61");
        assertThat(path("group:61")).isEqualTo("crew61");
        assertThat(members(61)).containsExactly("ann 50");
        assertThat(above("crew61/app")).containsExactly("crew61/app", "crew61");
        assertThat(path("group:62")).isEqualTo("fleet/crew62");
        assertThat(above("fleet/crew62/app")).containsExactly("fleet/crew62/app", "fleet/crew62", "fleet");
    }

    @Test
    void aGroupAndItsPathBecomeOneWhenTwoNodesHearOfThemAtOnce() {
        var project = new CompletableFuture<Void>();
        gitlab.inbox.db.useTransaction(tx -> {
            gitlab.events.handle(tx, gitlab.call("""
                    {'event_name': 'user_add_to_group', 'group_path': 'crew63', 'group_id': 63, 'group_access': 'Guest',
                     'user_id': 2, 'user_username': 'ann', 'updated_at': '2026-05-05T10:01:00Z'}
                    """));
            Thread.ofVirtual().start(() -> {
                project(6301, "crew63/app");
                project.complete(null);
            });
            Awaitility.await().until(() -> project.isDone() || waitingForLocks() > 0);
        });
        project.join();
        assertThat(namespaces("crew63")).containsExactly("crew63");
        assertThat(path("group:63")).isEqualTo("crew63");
    }

    private int waitingForLocks() {
        return gitlab.inbox.accounts.count("""
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """);
    }

    @Test
    void whatPointsAtEitherPartOfAGroupPointsAtAllOfItOnceItsPathIsStated() {
        member("user_add_to_group", 64, 2, "ann", "Owner", 0);
        member("user_access_request_to_group", 64, 3, "bob", "Guest", 1);
        var byId = namespace("external_id = 'group:64'");
        issue(6401, "north/crew64/app");
        issue(6402, "south/crew64/app");
        var byPath = namespace("path = 'north/crew64'");
        gitlab.inbox.db.useTransaction(tx -> tx.update("""
                        INSERT INTO inbox.preferences (user_id, namespace_id, action, delivery)
                        VALUES (:ann, :id, 1, 'email'), (:ann, :path, 9, 'off')
                        """)
                .bind("ann", gitlab.person(2, "ann").value())
                .bind("id", byId.value())
                .bind("path", byPath.value())
                .execute());
        gitlab.hook("""
                {'event_name': 'subgroup_create', 'path': 'crew64', 'full_path': 'north/crew64', 'group_id': 64,
                 'updated_at': '2026-05-05T11:00:00Z'}
                """);
        assertThat(namespaces("crew64")).containsExactly("north/crew64", "south/crew64");
        assertThat(members(64)).containsExactly("ann 50");
        assertThat(above("north/crew64/app")).containsExactly("north/crew64/app", "north/crew64", "north");
        for (var filter : List.of(byId, byPath)) {
            var items = gitlab.inbox.inbox.list(
                    gitlab.inbox.accounts.caller(gitlab.person(2, "ann")),
                    new InboxFilter(InboxView.TODO, Set.of(), Set.of(), filter, null, null, ItemSort.OLDEST),
                    Optional.empty(),
                    10);
            assertThat(items.items().stream().map(item -> item.resource().title() + " " + item.action()))
                    .containsExactlyInAnyOrder("north/crew64 MEMBER_ACCESS_REQUESTED", "Sink ASSIGNED");
        }
        assertThat(gitlab.inbox.accounts.count("""
                        SELECT count(*) FROM inbox.preferences p JOIN inbox.namespaces n ON n.id = p.namespace_id
                        WHERE n.external_id = 'group:64'
                        """)).isEqualTo(2);
    }

    private NamespaceId namespace(String condition) {
        return gitlab.inbox.db.read(reads -> reads.query("SELECT id FROM inbox.namespaces WHERE " + condition)
                .map(row -> new NamespaceId(row.getLong("id")))
                .one());
    }

    private static final String RENAME = """
            {'event_name': 'group_rename', 'path': '%s', 'full_path': '%s', 'group_id': %d %s,
             'updated_at': '2026-05-05T1%d:00:00Z'}
            """;

    @Test
    void aRenamedGroupTakesAllBelowAlongAndAnOlderRenameIsTooLate() {
        member("user_add_to_group", 65, 2, "ann", "Owner", 0);
        issue(6501, "crew65/deck/app");
        project(6502, "crew65/app");
        project(6502, "port65/app");
        gitlab.hook(RENAME.formatted("port65", "port65", 65, ", 'old_full_path': 'crew65'", 2));
        gitlab.hook(RENAME.formatted("early65", "early65", 65, "", 1));
        assertThat(path("group:65")).isEqualTo("port65");
        assertThat(path("project:6501")).isEqualTo("port65/deck/app");
        assertThat(above("port65/deck/app")).containsExactly("port65/deck/app", "port65/deck", "port65");
        assertThat(above("port65/app")).containsExactly("port65/app", "port65");
        assertThat(members(65)).containsExactly("ann 50");
        assertThat(namespaces("crew65")).isEmpty();
    }

    @Test
    void aRenamedGroupWhoseIdWasUnknownKeepsItsSettings() {
        issue(7001, "north/crew70/app");
        var group = namespace("path = 'north/crew70'");
        gitlab.inbox.db.useTransaction(tx -> tx.update("""
                        INSERT INTO inbox.preferences (user_id, namespace_id, action, delivery)
                        VALUES (:ann, :group, 1, 'email')
                        """)
                .bind("ann", gitlab.person(2, "ann").value())
                .bind("group", group.value())
                .execute());
        gitlab.hook(RENAME.formatted("port70", "north/port70", 70, ", 'old_full_path': 'north/crew70'", 2));
        assertThat(namespace("external_id = 'group:70'")).isEqualTo(group);
        assertThat(path("group:70")).isEqualTo("north/port70");
        assertThat(path("project:7001")).isEqualTo("north/port70/app");
        assertThat(namespaces("crew70")).isEmpty();
        assertThat(gitlab.inbox.accounts.count("""
                        SELECT count(*) FROM inbox.preferences p JOIN inbox.namespaces n ON n.id = p.namespace_id
                        WHERE n.path = 'north/port70'
                        """)).isOne();
    }

    @Test
    void anotherGroupAtAnOldPathIsNotTakenForTheRenamedOne() {
        group("group_create", 71, "crew71");
        gitlab.hook(RENAME.formatted("port71", "port71", 171, ", 'old_full_path': 'crew71'", 2));
        assertThat(path("group:71")).isEqualTo("crew71");
        assertThat(path("group:171")).isEqualTo("port71");
        gitlab.hook(RENAME.formatted("bay71", "bay71", 171, ", 'old_full_path': 'crew71'", 3));
        assertThat(List.of(path("group:71"), path("group:171"))).containsExactly("crew71", "bay71");
    }

    private void group(String event, int number, String path) {
        gitlab.hook("""
                {'event_name': '%s', 'path': '%s', 'full_path': '%s', 'group_id': %d, 'updated_at': '2026-05-05T10:00:00Z'}
                """.formatted(event, path.substring(path.lastIndexOf('/') + 1), path, number));
    }

    @Test
    void aDeletedGroupWhoseIdWasUnknownTakesAllBelowAlong() {
        issue(7201, "north/crew72/deck/app");
        issue(7202, "north/crew72/app");
        issue(7203, "crew73/app");
        issue(7204, "crew74/app");
        group("subgroup_destroy", 72, "north/crew72/deck");
        assertThat(gitlab.items("ann"))
                .doesNotContain("assigned issue 7201 todo")
                .contains("assigned issue 7202 todo");
        group("subgroup_destroy", 172, "north/crew72");
        assertThat(namespaces("crew72")).isEmpty();
        group("group_destroy", 73, "crew73");
        assertThat(gitlab.items("ann"))
                .doesNotContain("assigned issue 7202 todo", "assigned issue 7203 todo")
                .contains("assigned issue 7204 todo");
        issue(7203, "crew73/app");
        assertThat(path("project:7203")).as("deleted with its group").isEqualTo("none");
    }

    @Test
    void theDeletionOfAGroupLeavesAnotherThatIsAtItsPathNow() {
        issue(7501, "crew75/app");
        group("group_create", 75, "crew75");
        group("group_destroy", 175, "crew75");
        assertThat(path("group:75")).isEqualTo("crew75");
        assertThat(gitlab.items("ann")).contains("assigned issue 7501 todo");
    }

    @Test
    void aMatchByNameEndsWhereAnotherGroupOrPathHasTheNameToo() {
        member("user_add_to_group", 67, 2, "ann", "Owner", 0);
        issue(6701, "north/crew67/app");
        assertThat(path("group:67")).isEqualTo("north/crew67");
        issue(6702, "south/crew67/app");
        assertThat(path("group:67")).as("one of two, nobody knows which").isEqualTo("crew67");
        assertThat(members(67)).containsExactly("ann 50");
        assertThat(namespaces("crew67")).containsExactly("crew67", "north/crew67", "south/crew67");
        issue(6801, "north/crew68/app");
        member("user_add_to_group", 68, 2, "ann", "Owner", 0);
        assertThat(path("group:68")).isEqualTo("north/crew68");
        gitlab.hook("""
                {'event_name': 'user_add_to_group', 'group_path': 'crew68', 'group_id': 168, 'group_access': 'Guest',
                 'user_id': 3, 'user_username': 'bob', 'updated_at': '2026-05-05T10:01:00Z'}
                """);
        assertThat(List.of(path("group:68"), path("group:168"))).containsOnly("crew68");
        assertThat(members(68)).containsExactly("ann 50");
        assertThat(members(168)).containsExactly("bob 10");
    }

    @Test
    void aGroupThatWasMatchedWithTheWrongPathIsTakenFromIt() {
        member("user_add_to_group", 66, 2, "ann", "Owner", 0);
        issue(6601, "crew66/app");
        assertThat(path("group:66")).isEqualTo("crew66");
        gitlab.hook(RENAME.formatted("crew66", "other/crew66", 66, "", 1));
        assertThat(path("group:66")).isEqualTo("other/crew66");
        assertThat(members(66)).containsExactly("ann 50");
        assertThat(above("crew66/app")).containsExactly("crew66/app", "crew66");
        assertThat(namespaces("crew66")).containsExactly("crew66", "other/crew66");
    }
}
