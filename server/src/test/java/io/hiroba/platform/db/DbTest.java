package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
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
        var config = database.config();
        var hasty = new DatabaseConfig(
                config.url(), config.user(), config.password(), 2, Duration.ofMillis(200), Duration.ofSeconds(5));
        try (var impatient = Db.open(hasty)) {
            assertThatThrownBy(() -> impatient.read(reads -> reads.query("SELECT pg_sleep(30)::text")
                            .mapTo(String.class)
                            .one()))
                    .satisfies(e -> assertThat(SqlState.of(e)).isEqualTo("57014"));
        }
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
}
