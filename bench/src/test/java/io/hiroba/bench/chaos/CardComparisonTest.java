package io.hiroba.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.CardComparison.Difference;
import java.time.ZoneId;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * That the comparison sees what is wrong. Person 1 has a post (256) that persons 2 and 3 like, a reply (512) to it by
 * person 2, and twelve followers; the cards are written by hand.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CardComparisonTest {

    private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

    @SuppressWarnings("NullAway.Init")
    private ChaosDatabase database;

    @SuppressWarnings("NullAway.Init")
    private Handle handle;

    @BeforeAll
    void fill() {
        database = ChaosDatabase.create();
        try (var filling = database.open()) {
            filling.createScript("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT n, n || '@square.example', 'Person ' || n, 'x', false, '[]' FROM generate_series(1, 13) n;
                    INSERT INTO social.posts (id, snippet, owned_by, reply_to, allow_likes, allow_replies)
                    VALUES (256, '[]', 1, NULL, true, true), ((1767193200000 << 20) + 512, '[]', 2, 256, true, true);
                    INSERT INTO social.post_likes (post_id, liked_by, created_at)
                    VALUES (256, 2, '2025-12-31T14:59:59.999Z'), (256, 3, '2025-12-31T15:00:00.0019Z'),
                           (256, 1, '2025-12-31T15:00:00.003Z');
                    INSERT INTO social.user_follows (follower_id, followee_id, created_at)
                    SELECT n, 1, '2026-01-01T00:00:00Z' FROM generate_series(2, 13) n;

                    INSERT INTO activity.notifications (user_id, slot, term, payload, updated_at)
                    VALUES (1, 'like:0000000000000100', '2025-12-31', '{"countUsers": 1,
                                "records": [{"ts": 1767193199999, "userId": "0000000000000002"}]}', now()),
                           (1, 'like:0000000000000100', '2026-01-01', '{"countUsers": 1,
                                "records": [{"ts": 1767193200001, "userId": "0000000000000003"}]}', now()),
                           (1, 'reply:0000000000000100', '2026-01-01', '{"countUsers": 1, "countPosts": 1,
                                "records": [{"ts": 1767193200000, "userId": "0000000000000002",
                                             "postId": "19B74EC458000200"}]}', now());
                    INSERT INTO activity.notifications (user_id, slot, term, payload, updated_at)
                    SELECT 1, 'follow', '2026-01-01', jsonb_build_object('countUsers', 12, 'records', jsonb_agg(
                        jsonb_build_object('ts', 1767225600000, 'userId', lpad(upper(to_hex(n)), 16, '0')) ORDER BY n DESC)), now()
                    FROM generate_series(4, 13) n;
                    INSERT INTO activity.card_acts (user_id, slot, term, actor_id, post_id, ts)
                    SELECT 1, 'follow', '2026-01-01', n, 0, 1767225600000 FROM generate_series(2, 13) n;
                    """).execute();
        }
    }

    @AfterAll
    void drop() {
        database.close();
    }

    @BeforeEach
    void begin() {
        handle = database.open();
        handle.begin();
    }

    @AfterEach
    void rollBack() {
        handle.rollback();
        handle.close();
    }

    private CardComparison after(String fault) {
        handle.execute(fault);
        return CardComparison.of(handle, TOKYO);
    }

    private static String only(CardComparison comparison) {
        assertThat(comparison.differences()).hasSize(1);
        return comparison.differences().getFirst().toString();
    }

    @Test
    void whatIsRightIsTakenForRight() {
        var comparison = CardComparison.of(handle, TOKYO);
        assertThat(comparison.differences()).isEmpty();
        assertThat(comparison.cards()).isEqualTo(4);
        assertThat(comparison.large()).isEqualTo(1);
    }

    @Test
    void aDoubledActIsSeen() {
        var comparison = after("""
                UPDATE activity.notifications SET payload = jsonb_set(payload, '{countUsers}', '2')
                WHERE slot LIKE 'like:%' AND term = '2025-12-31'
                """);
        assertThat(only(comparison)).startsWith("like:0000000000000100 of 0000000000000001 on 2025-12-31");
    }

    @Test
    void aLostActIsSeen() {
        var comparison = after("""
                UPDATE activity.notifications SET payload = payload #- '{records,3}' WHERE slot = 'follow'
                """);
        assertThat(only(comparison)).startsWith("follow of 0000000000000001 on 2026-01-01");
    }

    @Test
    void aLostCardIsSeen() {
        assertThat(only(after("DELETE FROM activity.notifications WHERE slot LIKE 'reply:%'")))
                .contains("is not there");
    }

    @Test
    void aCardOfWhatWasTakenBackIsSeen() {
        assertThat(only(after("DELETE FROM social.post_likes WHERE liked_by = 2")))
                .contains("must not be there");
    }

    @Test
    void anActUnderTheWrongDayIsSeen() {
        assertThat(after("UPDATE accounts.users SET time_zone = 'UTC' WHERE id = 1")
                        .differences())
                .extracting(Difference::card)
                .contains(
                        new CardIdentity(1, "like:0000000000000100", "2025-12-31"),
                        new CardIdentity(1, "like:0000000000000100", "2026-01-01"));
    }

    @Test
    void aBlockedActorWhoIsStillCountedIsSeen() {
        assertThat(only(after("""
                INSERT INTO social.user_blocks (blocker_id, blocked_id, created_at) VALUES (13, 1, now())
                """))).startsWith("follow of");
    }

    @Test
    void aRowThatIsMissingBesideALargeCardIsSeen() {
        assertThat(only(after("DELETE FROM activity.card_acts WHERE actor_id = 5")))
                .contains("act without a row: 2026-01-01T00:00:00Z by 0000000000000005");
    }

    @Test
    void aRowTooManyIsSeen() {
        assertThat(only(after("""
                INSERT INTO activity.card_acts (user_id, slot, term, actor_id, post_id, ts)
                VALUES (1, 'like:0000000000000100', '2026-01-01', 3, 0, 1767193200001)
                """))).contains("row without an act");
    }
}
