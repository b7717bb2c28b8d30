package io.hiroba.accounts;

import io.hiroba.accounts.Credentials.Verified;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.NameOrder;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Language;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of users and user_details. */
final class UserStore {

    private static final long FIRST_ADMIN_LOCK = 7164200501L;

    private static final String PAGE = """
            SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
            FROM accounts.users
            WHERE %1$s
              AND %2$s
            ORDER BY %3$s
            LIMIT :limit
            """.formatted(
            NameOrder.begins("nickname"), NameOrder.after("nickname", "id", ""), NameOrder.by("nickname", "id"));

    /** False if the address is taken. */
    boolean insert(Tx tx, UserId id, Email email, Nickname nickname, PasswordHash password, boolean admin) {
        return tx.update("""
                        WITH inserted AS (
                            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                            VALUES (:id, :email, :nickname, :password, :admin, '[]')
                            ON CONFLICT (email) DO NOTHING
                            RETURNING id)
                        INSERT INTO accounts.user_details (user_id, introduction)
                        SELECT id, '' FROM inserted
                        """)
                        .bind("id", id.value())
                        .bind("email", email.value())
                        .bind("nickname", nickname.value())
                        .bind("password", password.encoded())
                        .bind("admin", admin)
                        .execute()
                == 1;
    }

    Optional<Profile> find(Reads reads, UserId id) {
        return find(reads, List.of(id)).stream().findFirst();
    }

    /** Those of the accounts that exist, in no order. */
    List<Profile> find(Reads reads, Collection<UserId> ids) {
        return reads.query("""
                SELECT u.id, u.email, u.nickname, u.is_admin, u.snippet, u.avatar, u.ai_model, u.updated_at, u.time_zone,
                       u.language, d.introduction, d.ai_personality
                FROM accounts.users u
                JOIN accounts.user_details d ON d.user_id = u.id
                WHERE u.id = ANY (:ids)
                """)
                .bindArray("ids", Long.class, ids, UserId::value)
                .map(UserStore::profile)
                .list();
    }

    void insertConsent(Tx tx, UserId id, String noticeUrl) {
        tx.update("INSERT INTO accounts.consents (user_id, notice_url) VALUES (:id, :url)")
                .bind("id", id.value())
                .bind("url", noticeUrl)
                .execute();
    }

    /** The account, locked until {@code tx} ends. */
    Optional<User> lock(Tx tx, UserId id) {
        return tx.query("""
                SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
                FROM accounts.users
                WHERE id = :id
                FOR NO KEY UPDATE
                """).bind("id", id.value()).map(UserStore::user).findOne();
    }

    Optional<UserId> findByEmail(Reads reads, Email email) {
        return reads.query("SELECT id FROM accounts.users WHERE email = :email")
                .bind("email", email.value())
                .map(row -> new UserId(row.getLong("id")))
                .findOne();
    }

    /** The nicknames of users by their ids. */
    Map<UserId, String> nicknames(Reads reads, Collection<UserId> users) {
        var names = new HashMap<UserId, String>();
        reads.query("SELECT id, nickname FROM accounts.user_card WHERE id = ANY (:users)")
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> names.put(new UserId(row.getLong("id")), row.getString("nickname")))
                .list();
        return names;
    }

    Map<String, UserId> findByEmails(Reads reads, Collection<String> emails) {
        return reads
                .query("SELECT email, id FROM accounts.users WHERE email = ANY (:emails)")
                .bindArray("emails", String.class, (Object[]) emails.toArray(String[]::new))
                .map(row -> Map.entry(row.getString("email"), new UserId(row.getLong("id"))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** A page by nickname: one index scan from the position, or from the prefix, on. */
    List<User> list(Reads reads, String prefix, NicknamePosition after, int limit) {
        return page(reads, "", prefix, after, limit).map(UserStore::user).list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query page(Reads reads, String lead, String prefix, NicknamePosition after, int limit) {
        return reads.query(lead + PAGE)
                .bind("prefix", prefix)
                .bind("last", NameOrder.LAST)
                .bind("after", after.nickname())
                .bind("afterId", after.id().value())
                .bind("limit", limit);
    }

    /** A page by time along the primary key, since ids grow with the time. */
    List<User> newest(Reads reads, UserId before, int limit) {
        return reads.query("""
                SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
                FROM accounts.users
                WHERE id < :before
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("before", before.value())
                .bind("limit", limit)
                .map(UserStore::user)
                .list();
    }

    List<User> oldest(Reads reads, UserId after, int limit) {
        return reads.query("""
                SELECT id, email, nickname, is_admin, snippet, avatar, ai_model, updated_at
                FROM accounts.users
                WHERE id > :after
                ORDER BY id
                LIMIT :limit
                """)
                .bind("after", after.value())
                .bind("limit", limit)
                .map(UserStore::user)
                .list();
    }

    void update(Tx tx, UserId id, UserUpdate update, String snippet, Instant now) {
        var email = update.email();
        tx.update("""
                        UPDATE accounts.users
                        SET nickname = :nickname,
                            snippet = :snippet,
                            avatar = :avatar,
                            ai_model = :aiModel,
                            time_zone = :timeZone,
                            language = :language,
                            is_admin = coalesce(:admin, is_admin),
                            email = coalesce(:email, email),
                            updated_at = :now
                        WHERE id = :id
                        """)
                .bind("id", id.value())
                .bind("nickname", update.nickname().value())
                .bind("snippet", snippet)
                .bind("avatar", update.avatar())
                .bind("aiModel", update.aiModel())
                .bind("timeZone", name(update.timeZone()))
                .bind("language", code(update.language()))
                .bind("admin", update.admin())
                .bind("email", email == null ? null : email.value())
                .bind("now", now)
                .execute();
        tx.update("""
                        UPDATE accounts.user_details
                        SET introduction = :introduction, ai_personality = :aiPersonality
                        WHERE user_id = :id
                        """)
                .bind("id", id.value())
                .bind("introduction", update.introduction())
                .bind("aiPersonality", update.aiPersonality())
                .execute();
    }

    boolean setAvatar(Tx tx, UserId id, @Nullable String path, Instant now) {
        return tx.update("UPDATE accounts.users SET avatar = :path, updated_at = :now WHERE id = :id")
                        .bind("id", id.value())
                        .bind("path", path)
                        .bind("now", now)
                        .execute()
                == 1;
    }

    void setPreferences(Tx tx, UserId id, SignUp.Preferences preferences) {
        tx.update("UPDATE accounts.users SET time_zone = :timeZone, language = :language WHERE id = :id")
                .bind("id", id.value())
                .bind("timeZone", name(preferences.timeZone()))
                .bind("language", code(preferences.language()))
                .execute();
    }

    void setLanguage(Tx tx, UserId id, Language language) {
        tx.update("UPDATE accounts.users SET language = :language WHERE id = :id")
                .bind("id", id.value())
                .bind("language", language.code())
                .execute();
    }

    void setEmail(Tx tx, UserId id, Email email, Instant now) {
        tx.update("UPDATE accounts.users SET email = :email, updated_at = :now WHERE id = :id")
                .bind("id", id.value())
                .bind("email", email.value())
                .bind("now", now)
                .execute();
    }

    void setAdmin(Tx tx, UserId id, boolean admin) {
        tx.update("UPDATE accounts.users SET is_admin = :admin WHERE id = :id")
                .bind("id", id.value())
                .bind("admin", admin)
                .execute();
    }

    /** False if there is no such user, or if it is an admin, of whom one must remain. */
    boolean deleteUnlessAdmin(Tx tx, UserId id) {
        return tx.update("DELETE FROM accounts.users WHERE id = :id AND NOT is_admin")
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    boolean delete(Tx tx, UserId id) {
        return tx.update("DELETE FROM accounts.users WHERE id = :id")
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    Optional<Verified> findPassword(Reads reads, Email email) {
        return reads.query("SELECT id, password FROM accounts.users WHERE email = :email")
                .bind("email", email.value())
                .map(UserStore::verified)
                .findOne();
    }

    Optional<Verified> findPassword(Reads reads, UserId user) {
        return reads.query("SELECT id, password FROM accounts.users WHERE id = :id")
                .bind("id", user.value())
                .map(UserStore::verified)
                .findOne();
    }

    /** Locks the account if its password is still the verified one. */
    boolean lockPassword(Tx tx, Verified verified) {
        return tx.query("SELECT 1 FROM accounts.users WHERE id = :id AND password = :hash FOR NO KEY UPDATE")
                .bind("id", verified.user().value())
                .bind("hash", verified.hash().encoded())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /** Returns the address of the account. */
    Optional<Email> setPassword(Tx tx, UserId user, PasswordHash hash) {
        return tx.query("UPDATE accounts.users SET password = :hash WHERE id = :id RETURNING email")
                .bind("id", user.value())
                .bind("hash", hash.encoded())
                .map(row -> new Email(row.getString("email")))
                .findOne();
    }

    /** Replaces the hash unless another password was set meanwhile. */
    boolean replacePassword(Tx tx, Verified known, PasswordHash renewed) {
        return tx.update("""
                        UPDATE accounts.users SET password = :renewed WHERE id = :id AND password = :known
                        """)
                        .bind("id", known.user().value())
                        .bind("known", known.hash().encoded())
                        .bind("renewed", renewed.encoded())
                        .execute()
                == 1;
    }

    List<UserId> admins(Reads reads) {
        return reads.query("""
                SELECT id FROM accounts.users
                WHERE is_admin AND coalesce(suspended_until <= statement_timestamp(), true)
                ORDER BY id
                """).map(row -> new UserId(row.getLong("id"))).list();
    }

    Set<UserId> adminsAmong(Reads reads, Collection<UserId> users) {
        return reads.query("""
                SELECT id FROM accounts.users
                WHERE id = ANY (:users) AND is_admin AND coalesce(suspended_until <= statement_timestamp(), true)
                """)
                .bindArray(
                        "users", Long.class, users.stream().map(UserId::value).toArray())
                .map(row -> new UserId(row.getLong("id")))
                .set();
    }

    /** The address of the admin with the address {@code preferred} if there is one, else of the oldest admin. */
    Optional<Email> adminEmail(Reads reads, Email preferred) {
        return reads.query("SELECT email FROM accounts.users WHERE is_admin ORDER BY email <> :preferred, id LIMIT 1")
                .bind("preferred", preferred.value())
                .map(row -> new Email(row.getString("email")))
                .findOne();
    }

    /** Lets one node at a time look for an admin and create the first. */
    void lockFirstAdmin(Tx tx) {
        tx.query("SELECT CAST(pg_advisory_xact_lock(:lock) AS text)")
                .bind("lock", FIRST_ADMIN_LOCK)
                .mapTo(String.class)
                .one();
    }

    /** All admins but the suspended, locked, so that two of them cannot revoke each other's role at the same time. */
    List<UserId> lockAdmins(Tx tx, Instant now) {
        return tx.query("""
                SELECT id FROM accounts.users
                WHERE is_admin AND coalesce(suspended_until <= :now, true)
                ORDER BY id
                FOR UPDATE
                """)
                .bind("now", now)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    private static @Nullable String name(@Nullable ZoneId zone) {
        return zone == null ? null : zone.getId();
    }

    private static @Nullable String code(@Nullable Language language) {
        return language == null ? null : language.code();
    }

    static User user(ResultSet row) throws SQLException {
        return new User(
                new UserId(row.getLong("id")),
                new Email(row.getString("email")),
                new Nickname(row.getString("nickname")),
                row.getBoolean("is_admin"),
                row.getString("snippet"),
                row.getString("avatar"),
                row.getString("ai_model"),
                Columns.instantOrNull(row, "updated_at"));
    }

    private static Profile profile(ResultSet row) throws SQLException {
        @Nullable String zone = row.getString("time_zone");
        return new Profile(
                user(row),
                row.getString("introduction"),
                row.getString("ai_personality"),
                zone == null ? null : ZoneId.of(zone),
                Language.of(row.getString("language")).orElse(null));
    }

    private static Verified verified(ResultSet row) throws SQLException {
        return new Verified(new UserId(row.getLong("id")), new PasswordHash(row.getString("password")));
    }
}
