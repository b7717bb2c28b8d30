package io.hiroba.testkit;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.Slot;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Json;
import io.hiroba.social.PostId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A card put straight into its table, for tests of what reads cards. */
public final class TestCard {

    /** When a card was updated unless told otherwise. */
    public static final Instant TIME = Instant.parse("2026-01-02T10:00:00.123456Z");

    private final UserId reader;
    private final Slot slot;
    private final List<Map<String, Object>> records = new ArrayList<>();
    private final Set<UserId> users = new HashSet<>();
    private String term = "2026-01-02";
    private Instant updatedAt = TIME;
    // Now: what is old is swept while a test of a whole server reads it.
    private Instant createdAt = Instant.now();
    private boolean read;

    private TestCard(UserId reader, Slot slot) {
        this.reader = reader;
        this.slot = slot;
    }

    public static TestCard of(UserId reader, Slot slot) {
        return new TestCard(reader, slot);
    }

    public TestCard term(String day) {
        term = day;
        return this;
    }

    public TestCard updatedAt(Instant time) {
        updatedAt = time;
        return this;
    }

    public TestCard createdAt(Instant time) {
        createdAt = time;
        return this;
    }

    public TestCard read() {
        read = true;
        return this;
    }

    /** A follow or a like. */
    public TestCard by(UserId user) {
        users.add(user);
        records.add(record(user));
        return this;
    }

    /** A reply or a mention. */
    public TestCard by(UserId user, PostId post) {
        by(user);
        records.getLast().put("postId", post.hex());
        return this;
    }

    private static Map<String, Object> record(UserId user) {
        var record = new LinkedHashMap<String, Object>();
        record.put("ts", TIME.toEpochMilli());
        record.put("userId", user.hex());
        return record;
    }

    public void insert(Db db) {
        var payload = new LinkedHashMap<String, Object>();
        payload.put("records", records);
        payload.put("countUsers", users.size());
        if (slot.kind().hasPosts()) {
            payload.put("countPosts", records.size());
        }
        db.useTransaction(tx -> tx.update("""
                        INSERT INTO activity.notifications (user_id, slot, term, is_read, payload, updated_at, created_at)
                        VALUES (:user, :slot, :term, :read, CAST(:payload AS jsonb), :updatedAt, :createdAt)
                        """)
                .bind("user", reader.value())
                .bind("slot", slot.text())
                .bind("term", term)
                .bind("read", read)
                .bind("payload", Json.text(payload))
                .bind("updatedAt", updatedAt.atOffset(ZoneOffset.UTC))
                .bind("createdAt", createdAt.atOffset(ZoneOffset.UTC))
                .execute());
    }
}
