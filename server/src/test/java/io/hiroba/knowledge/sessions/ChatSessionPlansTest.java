package io.hiroba.knowledge.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked of sessions is answered from an index, however many sessions and messages there are. */
@Tag("slow")
class ChatSessionPlansTest {

    private static final int LIMIT = 21;
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final UserId OWNER = new UserId(1L << 20);
    private static final Set<String> LARGE = Set.of("sessions", "session_messages");
    private static final TestDatabase database = TestDatabase.create();

    /** 60,000 sessions of three people, 20 of which are still active; one has 20,000 messages. */
    @BeforeAll
    static void fill() throws SQLException {
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT n << 20, 'u' || n || '@example.org', 'user', '', false, '' FROM generate_series(1::bigint, 3) AS n
                    """).execute();
            tx.update("""
                    INSERT INTO knowledge.sessions (
                        id, owned_by, session_key, session_type, is_public, status, message_count, last_active_at)
                    SELECT n, (n % 3 + 1)::bigint << 20, 'thread:' || n,
                           CASE WHEN n % 100 = 0 THEN 'eavesdrop' WHEN n % 2 = 0 THEN 'mention' ELSE 'thread' END,
                           n % 50 = 0, CASE WHEN n % 3000 = 0 THEN 'active' ELSE 'archived' END::knowledge.session_status_enum,
                           CASE WHEN n = 3 THEN 20000 ELSE 0 END, CAST(:now AS timestamptz) - n * interval '1 s'
                    FROM generate_series(1, 60000) AS n
                    """).bind("now", NOW).execute();
            tx.update("""
                    INSERT INTO knowledge.session_messages (session_id, message_index, role, content, sent_at)
                    SELECT 3, n, 'user', 'message ' || n, now() FROM generate_series(0, 19999) AS n
                    """).execute();
        });
        try (var connection = database.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) knowledge.sessions, knowledge.session_messages");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    record Case(@Nullable SessionType type, @Nullable SessionStatus status, boolean all) {}

    static Stream<Case> cases() {
        return Stream.of(SessionType.EAVESDROP, SessionType.MENTION, null)
                .flatMap(type -> Stream.of(SessionStatus.ACTIVE, SessionStatus.ARCHIVED, null)
                        .flatMap(status -> Stream.of(true, false).map(all -> new Case(type, status, all))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aListReadsTheRowsItShows(Case asked) {
        var filter = new ChatSessions.Filter(OWNER, asked.type(), asked.status());
        for (boolean generic : List.of(false, true)) {
            for (var after : List.of(
                    Optional.<SessionPosition>empty(),
                    Optional.of(new SessionPosition(NOW.minusSeconds(30_000), new ChatSessionId(30_000))))) {
                var sql = ChatSessionStore.listSql(filter, asked.all(), after.isPresent());
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> ChatSessionStore.list(reads, Plan.LEAD + sql, filter, after, LIMIT));
                assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
                assertThat(plan.largestSort()).as(plan.toString()).isZero();
                assertThat(plan.rowsReadOf("sessions")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
            }
        }
    }

    @Test
    void whatIsIdleIsFoundAmongTheActive() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> SessionArchiveStore.idle(
                            reads, Plan.LEAD, NOW, new SessionPosition(Instant.EPOCH, new ChatSessionId(0)), 10));
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            assertThat(plan.rowsReadOf("sessions")).as(plan.toString()).isLessThanOrEqualTo(10);
        }
    }

    @Test
    void aPageOfMessagesReadsThePage() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> ChatSessionStore.messages(reads, Plan.LEAD, new ChatSessionId(3), 10_000, 10_050));
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            assertThat(plan.rowsReadOf("session_messages")).as(plan.toString()).isEqualTo(50);
        }
    }

    @Test
    void aSearchReadsTheLatestMessagesOfTheLatestSessions() {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    database.db(),
                    generic,
                    reads -> SessionSearchStore.query(
                            reads, Plan.LEAD, OWNER, SearchWords.of("nothing like it"), LIMIT));
            assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
            assertThat(plan.rowsReadOf("sessions")).as(plan.toString()).isLessThanOrEqualTo(200);
            assertThat(plan.rowsReadOf("session_messages")).as(plan.toString()).isLessThanOrEqualTo(100);
        }
    }
}
