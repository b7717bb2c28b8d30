package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.zaxxer.hikari.HikariDataSource;
import io.hiroba.testkit.TcpProxy;
import io.hiroba.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DbTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final Db db = database.db();

    @BeforeAll
    static void createTable() {
        db.useTransaction(tx -> tx.update("CREATE TABLE counters (id INT PRIMARY KEY, n INT NOT NULL)")
                .execute());
        db.useTransaction(
                tx -> tx.update("INSERT INTO counters VALUES (1, 0), (2, 0)").execute());
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static int counter(int id) {
        return db.read(reads -> reads.query("SELECT n FROM counters WHERE id = :id")
                .bind("id", id)
                .mapTo(Integer.class)
                .one());
    }

    private static void increment(Tx tx, int id) {
        tx.update("UPDATE counters SET n = n + 1 WHERE id = :id").bind("id", id).execute();
    }

    @Test
    void aDeadlockIsTriedAgainUntilBothTransactionsAreThrough() throws InterruptedException {
        int before = counter(1) + counter(2);
        var barrier = new CyclicBarrier(2);
        var attempts = new AtomicInteger();
        var forward = Thread.ofVirtual()
                .start(() -> db.useTransaction(tx -> {
                    increment(tx, 1);
                    meet(barrier, attempts);
                    increment(tx, 2);
                }));
        var backward = Thread.ofVirtual()
                .start(() -> db.useTransaction(tx -> {
                    increment(tx, 2);
                    meet(barrier, attempts);
                    increment(tx, 1);
                }));
        forward.join();
        backward.join();
        assertThat(attempts.get()).isGreaterThan(2);
        assertThat(counter(1) + counter(2)).isEqualTo(before + 4);
    }

    /** Not from the moment at which the machine began. */
    @Test
    void theFirstConnectionIsMeasuredFromTheMomentItIsLent() {
        var meters = new SimpleMeterRegistry();
        try (var measured = Db.open(database.config(), meters)) {
            measured.isWritable();
            var usage = meters.get("hikaricp.connections.usage").timer();
            assertThat(usage.count()).isPositive();
            assertThat(usage.max(TimeUnit.MINUTES)).isLessThan(1);
        }
    }

    /** Both reach this point holding one row each; only the first time, or the one that retries would wait for ever. */
    private static void meet(CyclicBarrier barrier, AtomicInteger attempts) {
        if (attempts.incrementAndGet() <= 2) {
            try {
                barrier.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aStatementThatIsATransactionOfItsOwnIsTriedAgainToo() {
        var attempts = new AtomicInteger();
        int n = db.inStatement(statement -> {
            if (attempts.incrementAndGet() == 1) {
                throw new DbException(new SQLException("somebody else was there", "40001"));
            }
            return statement
                    .query("UPDATE counters SET n = n + 1 WHERE id = 1 RETURNING n")
                    .mapTo(Integer.class)
                    .one();
        });
        assertThat(attempts).hasValue(2);
        assertThat(counter(1)).isEqualTo(n);
    }

    @Test
    void aFailureRollsBackAndRunsNothingAfterwards() {
        int before = counter(1);
        var after = new AtomicInteger();
        assertThatThrownBy(() -> db.useTransaction(tx -> {
                    tx.afterCommit(after::incrementAndGet);
                    increment(tx, 1);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(counter(1)).isEqualTo(before);
        assertThat(after).hasValue(0);
    }

    @Test
    void whatWasAskedForAfterCommitRunsWhenOthersCanSeeTheResult() {
        int before = counter(2);
        var seen = new AtomicInteger();
        db.useTransaction(tx -> {
            increment(tx, 2);
            tx.afterCommit(() -> seen.set(counter(2)));
        });
        assertThat(seen).hasValue(before + 1);
    }

    @Test
    void aStatementThatRunsTooLongIsCancelled() {
        var config = database.superuser();
        var hasty = new DatabaseConfig(
                config.url(),
                config.user(),
                config.password(),
                config.credentials(),
                config.owner(),
                config.tls(),
                2,
                config.pool(),
                Duration.ofMillis(200),
                Duration.ofSeconds(5));
        try (var impatient = Db.open(hasty)) {
            assertThatThrownBy(() -> impatient.read(reads -> reads.query("SELECT pg_sleep(30)::text")
                            .mapTo(String.class)
                            .one()))
                    .satisfies(e -> assertThat(SqlState.of(e)).isEqualTo("57014"));
        }
    }

    @Test
    void aServerThatHasBecomeAStandbyIsUnavailableAndLeftForAFreshConnection() {
        try (var own = Db.open(database.superuser().withPoolSize(2))) {
            own.read(first -> own.read(second -> {
                // Both connections, as after a reload of a demoted server's configuration.
                for (var reads : List.of(first, second)) {
                    reads.query("SELECT set_config('default_transaction_read_only', 'on', false)")
                            .mapTo(String.class)
                            .one();
                }
                return 2;
            }));
            assertThatThrownBy(() -> own.useTransaction(tx -> increment(tx, 1)))
                    .satisfies(e -> assertThat(SqlState.of(e)).isEqualTo("25006"))
                    .satisfies(e -> assertThat(SqlState.isUnavailable(e)).isTrue());
            own.useTransaction(tx -> increment(tx, 1));
        }
    }

    @Test
    void nobodyWaitsLongForADatabaseThatIsAway() {
        try (var gone = TestDatabase.create();
                var own = Db.open(gone.config().withPoolSize(4))) {
            own.isWritable();
            db.read(reads -> reads.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
                    .bind("name", nameOf(gone))
                    .mapTo(Boolean.class)
                    .list());
            db.inStatement(statement -> statement
                    .query("UPDATE pg_database SET datallowconn = false WHERE datname = :name RETURNING 1")
                    .bind("name", nameOf(gone))
                    .mapTo(Integer.class)
                    .one());
            // Two seconds each by what is waited for; a busy machine may take longer.
            assertTimeout(Duration.ofSeconds(15), () -> {
                for (int request = 0; request < 3; request++) {
                    assertThatThrownBy(own::isWritable)
                            .satisfies(
                                    e -> assertThat(SqlState.isUnavailable(e)).isTrue());
                }
            });
        }
    }

    @Test
    void aNewConnectionThatTakesItsTimeIsWaitedForWhileOthersWork() throws Exception {
        int atOnce = 2;
        var late = new TcpProxy(database.config().url(), connection -> {
            LockSupport.parkNanos(connection > atOnce ? 2_500_000_000L : 0);
            return true;
        });
        try (late;
                var own = Db.open(
                        database.config().at(late.jdbcUrl(), user(), password()).withPoolSize(4))) {
            var sleepers = new ArrayList<Thread>();
            for (int n = 0; n < atOnce; n++) {
                sleepers.add(Thread.ofVirtual()
                        .start(() -> own.read(reads -> reads.query("SELECT pg_sleep(3)::text")
                                .mapTo(String.class)
                                .one())));
            }
            await().until(() -> own.dataSource()
                            .unwrap(HikariDataSource.class)
                            .getHikariPoolMXBean()
                            .getActiveConnections()
                    == atOnce);
            own.isWritable();
            for (var sleeper : sleepers) {
                sleeper.join();
            }
        }
    }

    private static String user() {
        return database.config().user();
    }

    private static String password() {
        return database.config().password();
    }

    private static String nameOf(TestDatabase other) {
        return other.config().url().replaceFirst(".*/(hiroba_\\d+).*", "$1");
    }

    @Test
    void whatWasBoundIsInNoErrorMessage() {
        assertThatThrownBy(() -> db.useTransaction(tx -> tx.update("INSERT INTO counters VALUES (1, length(:secret))")
                        .bind("secret", "six digits")
                        .execute()))
                .satisfies(e -> {
                    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                        assertThat(cause.toString())
                                .doesNotContain("six digits")
                                .doesNotContain("(id)=(1)");
                    }
                });
    }

    @Test
    void aUniqueViolationIsKnownByItsState() {
        assertThatThrownBy(() -> db.useTransaction(
                        tx -> tx.update("INSERT INTO counters VALUES (1, 0)").execute()))
                .satisfies(e ->
                        assertThat(SqlState.is(e, SqlState.UNIQUE_VIOLATION)).isTrue());
    }

    @Test
    void aRehearsalSeesWhatItWritesAndLeavesNothing() {
        int before = counter(1);
        int other = counter(2);
        var committed = new AtomicInteger();
        var seen = db.rehearse(() -> {
            db.useTransaction(tx -> {
                increment(tx, 1);
                tx.afterCommit(committed::incrementAndGet);
            });
            assertThatThrownBy(() -> db.useTransaction(tx -> {
                        increment(tx, 1);
                        tx.query("SELECT 1 / 0").mapTo(Integer.class).one();
                    }))
                    .isInstanceOf(DbException.class);
            assertThatThrownBy(() -> db.read(reads ->
                            reads.query("SELECT 1 / 0").mapTo(Integer.class).one()))
                    .isInstanceOf(DbException.class);
            return counter(1);
        });
        assertThat(seen).isEqualTo(before + 1);
        assertThat(counter(1)).isEqualTo(before);
        assertThat(committed).hasValue(0);
        db.useTransaction(
                tx -> tx.update("GRANT SELECT, UPDATE ON counters TO PUBLIC").execute());
        try (var others = Db.open(database.config());
                var group = new GroupCommit<String, String>("group", 1, 1, items -> items)) {
            db.<Integer>rehearse(() -> {
                others.useTransaction(tx -> increment(tx, 2));
                assertThatThrownBy(() -> group.write("item")).isInstanceOf(IllegalStateException.class);
                return 0;
            });
        }
        assertThat(counter(2)).isEqualTo(other);
    }
}
