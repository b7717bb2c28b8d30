package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.testkit.TestRecords;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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

    private static void execute(Connection connection, String sql) {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
