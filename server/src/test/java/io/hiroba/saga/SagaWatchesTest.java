package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaListener.SagaUpdate;
import io.hiroba.testkit.TestAccounts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SagaWatchesTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final Caller admin = accounts.caller(accounts.admin());

    /** Never polls by itself, so that what is sent at once can be told from what a poll finds. */
    private final WatchedNode node = new WatchedNode(accounts, Duration.ofDays(1));

    @AfterEach
    void close() {
        node.close();
    }

    @AfterAll
    static void drop() {
        accounts.close();
    }

    @Test
    void whoWatchesIsToldWhereTheSagaStandsAndOfEachAttemptUpToTheEnd() {
        var id = node.start();
        var listened = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, listened);
        assertThat(listened.states).containsExactly(SagaStatus.RUNNING);

        node.fails().succeeds().succeeds();
        listened.awaitEnd();
        assertThat(listened.attempts)
                .containsExactly("EXECUTE reserve 1 FAILED", "EXECUTE reserve 2 SUCCESS", "EXECUTE charge 1 SUCCESS");
        assertThat(listened.states).endsWith(SagaStatus.COMPLETED);
        assertThat(listened.sent).endsWith(3);
        assertThat(listened.ends).hasSize(1);
    }

    @Test
    void whatIsUndoneIsToldToo() {
        var id = node.start();
        var listened = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, listened);
        node.succeeds().fails().fails();
        listened.awaitState(SagaStatus.COMPENSATING);
        node.succeeds();
        listened.awaitEnd();
        assertThat(listened.attempts)
                .containsExactly(
                        "EXECUTE reserve 1 SUCCESS",
                        "EXECUTE charge 1 FAILED",
                        "EXECUTE charge 2 FAILED",
                        "COMPENSATE reserve 1 SUCCESS");
        assertThat(listened.states).endsWith(SagaStatus.FAILED);
    }

    @Test
    void whatAnotherNodeDoesIsToldByTheNextLook() {
        try (var other = new WatchedNode(accounts, Duration.ofDays(1))) {
            var id = other.start();
            var there = new RecordingSagaListener();
            var here = new RecordingSagaListener();
            other.watches.watch(admin, id, 0, there);
            node.watches.watch(admin, id, 0, here);
            other.succeeds();
            there.awaitAttempts(1);
            assertThat(here.attempts).isEmpty();
            node.watches.poll();
            assertThat(here.attempts).containsExactly("EXECUTE reserve 1 SUCCESS");

            int news = here.states.size();
            node.watches.poll();
            assertThat(here.states).as("nothing new is nothing sent").hasSize(news);
            other.succeeds();
            there.awaitEnd();
            node.watches.poll();
            assertThat(here.attempts).hasSize(2);
            assertThat(here.ends).hasSize(1);
        }
    }

    @Test
    void theChangeOfAnotherNodeArrivesWithinAboutASecond() {
        assertThat(SagaWatches.POLL_INTERVAL).isEqualTo(Duration.ofSeconds(1));
        try (var polling = new WatchedNode(accounts, SagaWatches.POLL_INTERVAL)) {
            var id = node.start();
            var listened = new RecordingSagaListener();
            polling.watches.watch(admin, id, 0, listened);
            long begun = System.nanoTime();
            node.succeeds();
            listened.awaitAttempts(1);
            // The interval, and as much again for a busy machine.
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
            node.succeeds();
            listened.awaitEnd();
        }
    }

    @Test
    void aNodeLooksByItself() {
        try (var looking = new WatchedNode(accounts, Duration.ofMillis(50))) {
            var id = node.start();
            var listened = new RecordingSagaListener();
            looking.watches.watch(admin, id, 0, listened);
            node.succeeds().succeeds();
            listened.awaitEnd();
            assertThat(listened.attempts).hasSize(2);
        }
    }

    @Test
    void whoComesBackIsToldOfWhatWasMissedAndOthersAreNotToldTwice() {
        var id = node.start();
        var first = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, first);
        node.fails();
        first.awaitAttempts(1);
        node.succeeds();
        first.awaitAttempts(2);
        var back = new RecordingSagaListener();
        node.watches.watch(admin, id, 1, back);
        assertThat(back.attempts).containsExactly("EXECUTE reserve 2 SUCCESS");
        var ahead = new RecordingSagaListener();
        node.watches.watch(admin, id, 1000, ahead);
        assertThat(ahead.attempts).isEmpty();

        node.succeeds();
        back.awaitEnd();
        ahead.awaitEnd();
        assertThat(first.awaitEnd().attempts).hasSize(3);
        assertThat(back.attempts).hasSize(2);
        assertThat(ahead.attempts).containsExactly("EXECUTE charge 1 SUCCESS");
    }

    @Test
    void aSagaThatHasEndedIsToldOfOnceAndTheWatchIsOver() {
        var id = node.start();
        var first = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, first);
        node.succeeds().succeeds();
        first.awaitEnd();
        var late = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, late);
        assertThat(late.attempts).hasSize(2);
        assertThat(late.states).containsExactly(SagaStatus.COMPLETED);
        assertThat(late.ends).hasSize(1);
    }

    @Test
    void whoHasStoppedWatchingIsToldNothing() {
        var id = node.start();
        var gone = new RecordingSagaListener();
        var staying = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, gone).close();
        node.watches.watch(admin, id, 0, staying);
        node.succeeds().succeeds();
        staying.awaitEnd();
        assertThat(gone.attempts).isEmpty();
        assertThat(gone.ends).isEmpty();
    }

    @Test
    void aSagaThatIsDeletedEndsTheWatch() {
        var id = node.start();
        var listened = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, listened);
        accounts.db.useTransaction(tx -> tx.update("DELETE FROM saga.saga_states WHERE id = :id")
                .bind("id", id.value())
                .execute());
        node.watches.poll();
        assertThat(listened.ends).hasSize(1);
        node.succeeds();
    }

    @Test
    void whoHasNoRoleSeesNothingAndWhoLosesItSeesNothingMore() {
        var roles = new SagaRoles(accounts.db);
        var member = accounts.user("Curious");
        var id = node.start();
        refused(accounts.caller(member), id, "saga.auditors-only");
        refused(admin, new SagaId(new UuidV7(Clock.systemUTC()).next()), "saga.not-found");

        roles.grant(admin, member, SagaRole.AUDITOR);
        var auditor = new RecordingSagaListener();
        var other = new RecordingSagaListener();
        node.watches.watch(accounts.caller(member), id, 0, auditor);
        node.watches.watch(admin, id, 0, other);
        node.succeeds();
        auditor.awaitAttempts(1);
        roles.revoke(admin, member);
        node.succeeds();
        other.awaitEnd();
        assertThat(auditor.awaitEnd().attempts).hasSize(1);
        assertThat(auditor.states).doesNotContain(SagaStatus.COMPLETED);
    }

    @Test
    void whoIsNoAdminAnyMoreSeesNothingMore() {
        var other = accounts.admin();
        var id = node.start();
        var listened = new RecordingSagaListener();
        var staying = new RecordingSagaListener();
        node.watches.watch(accounts.caller(other), id, 0, listened);
        node.watches.watch(admin, id, 0, staying);
        execute("UPDATE accounts.users SET is_admin = false WHERE id = " + other.value());
        node.succeeds().succeeds();
        staying.awaitEnd();
        assertThat(listened.awaitEnd().attempts).isEmpty();
        assertThat(listened.ends).containsExactly("end");
    }

    @Test
    void aWatchLastsItsTimeOnly() {
        try (var hasty = new WatchedNode(accounts, Duration.ofDays(1), Duration.ZERO)) {
            var listened = new RecordingSagaListener();
            var id = node.start();
            hasty.watches.watch(admin, id, 0, listened);
            hasty.watches.poll();
            hasty.watches.poll();
            assertThat(listened.ends).containsExactly("expired");
        }
    }

    @Test
    void howeverManyAttemptsThereWereAllAreToldInOrderAndThenTheEnd() {
        var id = node.start();
        node.succeeds().succeeds();
        var done = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, done);
        done.awaitEnd();
        execute("""
                INSERT INTO saga.saga_step_logs (saga_id, step_index, action, attempt, step_name, status, started_at, completed_at)
                SELECT '%s', 0, 'EXECUTE', n + 1, 'reserve', 'FAILED', now(), now() + n * interval '1 s'
                FROM generate_series(1, 1000) AS n
                """.formatted(id));
        var late = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, late);
        assertThat(late.attempts).hasSize(1002).doesNotHaveDuplicates().endsWith("EXECUTE reserve 1001 FAILED");
        assertThat(late.sent).containsExactly(400, 800, 1002);
        assertThat(late.ends).hasSize(1);
    }

    @Test
    void whatWasSentAndAnsweredIsLeftOutOnceItIsTooMuch() {
        var id = node.start();
        node.succeeds().succeeds();
        var done = new RecordingSagaListener();
        node.watches.watch(admin, id, 0, done);
        done.awaitEnd();
        execute("""
                INSERT INTO saga.saga_step_logs (saga_id, step_index, action, attempt, step_name, status, response_payload,
                                                 started_at, completed_at)
                SELECT '%s', 0, 'EXECUTE', n + 1, 'reserve', 'FAILED', to_jsonb(repeat('x', 1000000)), now(),
                       now() + n * interval '1 s'
                FROM generate_series(1, 20) AS n
                """.formatted(id));
        var leftOut = new ArrayList<Boolean>();
        node.watches.watch(admin, id, 2, new SagaListener() {
            @Override
            public void changed(SagaUpdate update) {
                update.attempts().forEach(each -> leftOut.add(each.leftOut() && each.answer() == null));
            }

            @Override
            public void ended() {}
        });
        assertThat(leftOut.subList(0, 8)).containsOnly(false);
        assertThat(leftOut.subList(8, 20)).containsOnly(true);
    }

    private static void execute(String sql) {
        accounts.db.useTransaction(tx -> tx.update(sql).execute());
    }

    private void refused(Caller caller, SagaId id, String code) {
        assertThatThrownBy(() -> node.watches.watch(caller, id, 0, new RecordingSagaListener()))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }
}
