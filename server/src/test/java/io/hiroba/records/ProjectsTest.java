package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.testkit.TestRecords;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ProjectsTest {

    private static TestRecords test;

    @BeforeAll
    static void start() {
        test = new TestRecords();
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    /** Projects that the caller made and owns, without their tables. */
    private static void made(Caller caller, int count) {
        test.db.useTransaction(tx -> tx.update("""
                WITH made AS (
                    INSERT INTO records.projects (id, client_id, name)
                    SELECT :first + n, :user, 'many' FROM generate_series(1, :count) AS n
                    RETURNING id)
                INSERT INTO records.members (project_id, user_id, role) SELECT id, :user, 'OWNER' FROM made
                """)
                .bind("first", test.accounts.lease.ids().next())
                .bind("user", caller.user().value())
                .bind("count", count)
                .execute());
    }

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void aPersonOwnsAHundredProjectsOfTheirOwn() {
        var busy = test.person("busy");
        made(busy, 99);
        var other = test.project();
        test.projects.put(other.caller(), other.project().id(), busy.user(), ProjectRole.OWNER);
        var last = test.projects.create(busy, "hundredth");
        refused("records.too-many-projects", () -> test.projects.create(busy, "one more"));
        test.projects.delete(busy, last.id());
        assertThat(test.projects.create(busy, "another").client()).isEqualTo(busy.user());
    }

    @Test
    void anAdminMakesAsManyAsTheyLike() {
        var admin = test.accounts.caller(test.accounts.admin());
        made(admin, 100);
        assertThat(test.projects.create(admin, "one more").name()).isEqualTo("one more");
    }

    @Test
    void aProjectInUseIsNotDeletedAndNobodyWaitsForLong() {
        var access = test.project();
        test.db.useTransaction(tx -> {
            tx.update("LOCK TABLE %s IN ACCESS SHARE MODE"
                            .formatted(access.tables().records()))
                    .execute();
            refused(
                    "records.project-busy",
                    () -> test.projects.delete(access.caller(), access.project().id()));
        });
        test.projects.delete(access.caller(), access.project().id());
        refused(
                "records.no-project",
                () -> test.projects.access(access.caller(), access.project().id()));
    }

    @Test
    void anIndexInTheMakingDoesNotKeepAProject() throws SQLException {
        var access = test.project();
        try (var other = Db.open(test.accounts.database.config().asOwner().withPoolSize(2));
                var looking = other.dataSource().getConnection();
                var making = other.dataSource().getConnection();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // Whoever sees the past has the last phase of making wait, and holds no table of the project.
            looking.setAutoCommit(false);
            looking.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            execute(looking, "SET idle_in_transaction_session_timeout = 0");
            execute(looking, "SELECT 1");
            var made = CompletableFuture.runAsync(
                    () -> execute(
                            making,
                            "CREATE INDEX CONCURRENTLY ON %s (version)"
                                    .formatted(access.tables().records())),
                    threads);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> test.accounts.count("""
                            SELECT count(*) FROM pg_stat_progress_create_index
                            WHERE datname = current_database() AND phase = 'waiting for old snapshots'
                            """) == 1);
            test.projects.delete(access.caller(), access.project().id());
            assertThatThrownBy(made::join).hasMessageContaining("cancel");
            looking.rollback();
        }
        refused(
                "records.no-project",
                () -> test.projects.access(access.caller(), access.project().id()));
    }

    @Test
    void anAccountThatGoesHandsItsProjectsOver() {
        var access = test.project();
        var id = access.project().id();
        test.member(access, ProjectRole.VIEWER);
        var second = test.member(access, ProjectRole.VIEWER).user();
        var first = test.member(access, ProjectRole.EDITOR).user();
        // The last to join, who has the role since before the other.
        test.projects.put(access.caller(), id, second, ProjectRole.EDITOR);
        test.db.useTransaction(tx -> tx.update(
                        "UPDATE records.members SET joined_at = joined_at - interval '1 day' WHERE user_id = :first")
                .bind("first", first.value())
                .execute());
        assertThat(test.projects.successions(access.user()))
                .singleElement()
                .satisfies(each -> assertThat(each.successor())
                        .isEqualTo(test.accounts
                                .users
                                .find(first)
                                .orElseThrow()
                                .user()
                                .nickname()
                                .value()));
        test.db.useTransaction(tx -> tx.update("""
                        INSERT INTO records.saved_queries (id, project_id, owner, schema_id, name, query, shared)
                        VALUES (1, :project, :owner, 1, 'kept', '{}', true), (2, :project, :owner, 1, 'private', '{}', false)
                        """)
                .bind("project", id.value())
                .bind("owner", access.user().value())
                .execute());
        test.projects.removeEverywhere(Caller.server(access.user()), access.user());
        assertThat(test.db.<List<Long>>read(
                        reads -> reads.query("SELECT owner FROM records.saved_queries WHERE project_id = :project")
                                .bind("project", id.value())
                                .mapTo(Long.class)
                                .list()))
                .containsExactly(first.value());
        assertThat(role(id, first)).isEqualTo(ProjectRole.OWNER);
        assertThat(role(id, second)).isEqualTo(ProjectRole.EDITOR);
        // The step again, as after a crash.
        test.projects.removeEverywhere(Caller.server(access.user()), access.user());
        assertThat(role(id, first)).isEqualTo(ProjectRole.OWNER);
    }

    @Test
    void anAgentTakesNoProjectOver() {
        var access = test.project();
        var agent = test.member(access, ProjectRole.EDITOR).user();
        test.db.useTransaction(tx -> {
            tx.update(
                            "INSERT INTO accounts.ai_models (name, input_cost, output_cost, updated_at) VALUES ('heir', 0, 0, now())")
                    .execute();
            tx.update("UPDATE accounts.users SET ai_model = 'heir' WHERE id = :agent")
                    .bind("agent", agent.value())
                    .execute();
        });
        assertThat(test.projects.successions(access.user()))
                .containsExactly(new Projects.Succession(access.project().name(), null));
        test.projects.removeEverywhere(Caller.server(access.user()), access.user());
        assertThat(test.projects.list(test.accounts.caller(agent), Long.MAX_VALUE, 10))
                .isEmpty();
    }

    @Test
    void twoAccountsThatGoAtOnceLeaveTheProjectToTheThird() {
        for (int round = 0; round < 5; round++) {
            var access = test.project();
            var second = test.member(access, ProjectRole.EDITOR).user();
            var third = test.member(access, ProjectRole.VIEWER).user();
            // Each on a node of its own.
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (var user : List.of(access.user(), second)) {
                    var node = new Projects(test.db, test.accounts.lease.ids(), test.log);
                    threads.submit(() -> node.removeEverywhere(Caller.server(user), user));
                }
            }
            assertThat(role(access.project().id(), third)).isEqualTo(ProjectRole.OWNER);
            assertThat(test.projects.members(
                            test.accounts.caller(third), access.project().id(), 0, 10))
                    .hasSize(1);
        }
    }

    private static ProjectRole role(ProjectId id, UserId user) {
        return test.projects.access(test.accounts.caller(user), id).role();
    }

    private static void execute(Connection connection, String sql) {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
