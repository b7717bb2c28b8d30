package io.hiroba.accounts;

import io.hiroba.accounts.UserList.Filter;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.util.List;

/** Pages of some users, the latest first, along an index of only them. */
final class UserFilterStore {

    /** A part of very many nicknames: only so many are looked at. */
    private static final int MAX_READ = 1_000;

    List<User> list(Reads reads, Filter filter, UserId before, Instant now, int limit) {
        return page(reads, "", filter, before, now, limit).map(UserStore::user).list();
    }

    /** The users whose nickname has {@code part} in it, in any case, the shortest nicknames first. */
    List<User> named(Reads reads, String part, int limit) {
        return named(reads, "", part, limit).map(UserStore::user).list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query named(Reads reads, String lead, String part, int limit) {
        return reads.query(lead + """
                SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
                FROM (SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
                      FROM accounts.users
                      WHERE accounts.name_pairs(nickname) @> accounts.name_pairs(:part)
                        AND strpos(lower(nickname), lower(:part)) > 0
                      LIMIT :read) AS found
                ORDER BY length(nickname), lower(nickname), id
                LIMIT :limit
                """).bind("part", part).bind("read", MAX_READ).bind("limit", limit);
    }

    /** {@code lead} may be EXPLAIN. */
    static Query page(Reads reads, String lead, Filter filter, UserId before, Instant now, int limit) {
        var condition = switch (filter) {
            case ADMINS -> "is_admin";
            case AGENTS -> "ai_model IS NOT NULL";
            case SUSPENDED -> "suspended_until IS NOT NULL";
        };
        return reads.query(lead + """
                SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
                FROM accounts.users
                WHERE %s AND id < :before AND (:everyone OR suspended_until > :now)
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(condition))
                .bind("before", before.value())
                .bind("everyone", filter != Filter.SUSPENDED)
                .bind("now", now)
                .bind("limit", limit);
    }
}
