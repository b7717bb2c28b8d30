package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** Rows of members who may make agents, and of the models that these may run on. */
final class AgentMakerStore {

    /** A member who may make agents. */
    record Maker(UserId user, String nickname, Instant grantedAt) {}

    boolean isMaker(Reads reads, UserId user) {
        return reads.query("SELECT true FROM agents.makers WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** As {@link #isMaker}; until {@code tx} ends they make no other agent, and keep the right. */
    boolean lock(Tx tx, UserId user) {
        return tx.query("SELECT true FROM agents.makers WHERE user_id = :user FOR UPDATE")
                .bind("user", user.value())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** Counts an agent that a member makes; false if they have made as many as they may on that day. */
    boolean admit(Tx tx, UserId user, LocalDate today, int max) {
        return tx.update("""
                        UPDATE agents.makers
                        SET made = CASE WHEN day = :today THEN made ELSE 0 END + 1, day = :today
                        WHERE user_id = :user AND (day IS DISTINCT FROM :today OR made < :max)
                        """)
                        .bind("user", user.value())
                        .bind("today", today)
                        .bind("max", max)
                        .execute()
                == 1;
    }

    int agents(Reads reads, UserId owner) {
        return reads.query("SELECT count(*) FROM agents.agents WHERE owner_id = :owner")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
    }

    /** By the ids of the members. */
    List<Maker> list(Reads reads, UserId after, int limit) {
        return reads.query("""
                        SELECT m.user_id, u.nickname, m.granted_at
                        FROM agents.makers m JOIN accounts.user_card u ON u.id = m.user_id
                        WHERE m.user_id > :after
                        ORDER BY m.user_id
                        LIMIT :limit
                        """)
                .bind("after", after.value())
                .bind("limit", limit)
                .map(row -> new Maker(
                        new UserId(row.getLong("user_id")),
                        row.getString("nickname"),
                        Columns.instant(row, "granted_at")))
                .list();
    }

    /** People with this nickname, in any case; at most two. */
    List<UserId> named(Reads reads, String nickname) {
        return reads.query("""
                        SELECT id FROM accounts.user_card
                        WHERE lower(nickname) = lower(:nickname) AND kind <> 'agent'
                        LIMIT 2
                        """)
                .bind("nickname", nickname)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** False if they have the right already, or there is no such person. */
    boolean grant(Tx tx, UserId user, UserId by) {
        return tx.update("""
                        INSERT INTO agents.makers (user_id, granted_by)
                        SELECT u.id, :by FROM accounts.user_card u WHERE u.id = :user AND u.kind <> 'agent'
                        ON CONFLICT (user_id) DO NOTHING
                        """).bind("user", user.value()).bind("by", by.value()).execute() == 1;
    }

    boolean revoke(Tx tx, UserId user) {
        return tx.update("DELETE FROM agents.makers WHERE user_id = :user")
                        .bind("user", user.value())
                        .execute()
                == 1;
    }

    List<String> models(Reads reads) {
        return reads.query("SELECT name FROM agents.member_models ORDER BY name")
                .mapTo(String.class)
                .list();
    }

    boolean isAllowed(Reads reads, String model) {
        return reads.query("SELECT true FROM agents.member_models WHERE name = :name")
                .bind("name", model)
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** False if it is allowed already. */
    boolean allow(Tx tx, String model) {
        return tx.update("INSERT INTO agents.member_models (name) VALUES (:name) ON CONFLICT (name) DO NOTHING")
                        .bind("name", model)
                        .execute()
                == 1;
    }

    boolean withdraw(Tx tx, String model) {
        return tx.update("DELETE FROM agents.member_models WHERE name = :name")
                        .bind("name", model)
                        .execute()
                == 1;
    }
}
