package io.hiroba.bench.activity;

import io.hiroba.platform.db.Db;

/**
 * The users and cards of the benchmark. The first {@value #AUTHORS} users have posts, the others like and follow. Everybody
 * has old cards, some of them with many actions, as on a server that has been running for a while.
 */
final class ActivityData {

    static final int AUTHORS = 20_000;
    static final int OTHERS = 50_000;

    private ActivityData() {}

    static void fill(Db db) {
        System.err.printf("· filling %,d people%n", AUTHORS + OTHERS);
        db.useTransaction(tx -> {
            tx.update("SET LOCAL session_replication_role = replica").execute();
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    SELECT (1700000000000 + n * 1000) << 20, 'u' || n || '@example.org', 'user ' || n, 'x', false, '[]'
                    FROM generate_series(1::bigint, :people) n
                    """).bind("people", AUTHORS + OTHERS).execute();
            tx.update("INSERT INTO accounts.user_details (user_id, introduction) SELECT id, '' FROM accounts.users")
                    .execute();
            tx.update("""
                    INSERT INTO activity.notifications (user_id, slot, term, is_read, payload, updated_at, created_at)
                    SELECT u.id, 'follow', '2026-01-0' || day, true,
                           '{"records": [{"ts": 1767225600000, "userId": "18BCFE5684800000"}], "countUsers": 1}', at, at
                    FROM accounts.users u
                    CROSS JOIN generate_series(1, 3) day
                    CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01T00:00:00Z' + day * interval '1 day' AS at) t
                    """).execute();
            tx.update("""
                    INSERT INTO activity.card_acts (user_id, slot, term, actor_id, post_id, ts)
                    SELECT n.user_id, n.slot, n.term, (1700000000000 + k * 1000) << 20, 0, 1767225600000 + k
                    FROM activity.notifications n
                    CROSS JOIN generate_series(1::bigint, 20) k
                    WHERE n.term = '2026-01-01' AND (n.user_id >> 20) / 1000 % 10 = 0
                    """).execute();
        });
    }

    static long author(int n) {
        return person(1 + n % AUTHORS);
    }

    static long other(int n) {
        return person(1 + AUTHORS + n % OTHERS);
    }

    private static long person(long n) {
        return (1_700_000_000_000L + n * 1000) << 20;
    }

    static long post(int n) {
        return (1_710_000_000_000L + n * 1000L) << 20;
    }
}
