package io.hiroba.accounts;

import io.hiroba.accounts.Invitations.Invitation;
import io.hiroba.accounts.Invitations.InvitationId;
import io.hiroba.accounts.Invitations.InvitationUse;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of invitations and invitation_uses. */
final class InvitationStore {

    void insert(Tx tx, Invitation invitation, BearerSecret secret) {
        var email = invitation.email();
        tx.update("""
                        INSERT INTO accounts.invitations (id, created_by, secret_hash, email, note, max_uses, expires_at)
                        VALUES (:id, :createdBy, :hash, :email, :note, :maxUses, :expiresAt)
                        """)
                .bind("id", invitation.id().value())
                .bind("createdBy", invitation.createdBy().value())
                .bind("hash", secret.hash())
                .bind("email", email == null ? null : email.value())
                .bind("note", invitation.note())
                .bind("maxUses", invitation.maxUses())
                .bind("expiresAt", invitation.expiresAt())
                .execute();
    }

    Optional<Invitation> findOpen(Reads reads, BearerSecret secret, Instant now) {
        return reads.query("""
                SELECT id, created_by, email, note, max_uses, uses, expires_at, revoked_at
                FROM accounts.invitations
                WHERE secret_hash = :hash AND uses < max_uses AND expires_at > :now AND revoked_at IS NULL
                """)
                .bind("hash", secret.hash())
                .bind("now", now)
                .map(row -> invitation(row, List.of()))
                .findOne();
    }

    /** Those of {@code owner}, or all for null. */
    List<Invitation> list(Reads reads, @Nullable UserId owner, long before, int limit) {
        var found = reads.query("""
                SELECT id, created_by, email, note, max_uses, uses, expires_at, revoked_at
                FROM accounts.invitations
                WHERE id < :before%s
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(owner == null ? "" : " AND created_by = :owner"))
                .bind("before", before)
                .bind("limit", limit);
        var invitations = (owner == null ? found : found.bind("owner", owner.value()))
                .map(row -> invitation(row, List.of()))
                .list();
        var uses =
                uses(reads, invitations.stream().map(each -> each.id().value()).toList());
        return invitations.stream()
                .map(each -> usedBy(each, uses.getOrDefault(each.id().value(), List.of())))
                .toList();
    }

    private static Invitation usedBy(Invitation each, List<InvitationUse> uses) {
        return new Invitation(
                each.id(),
                each.createdBy(),
                each.email(),
                each.note(),
                each.maxUses(),
                each.uses(),
                each.expiresAt(),
                each.revokedAt(),
                uses);
    }

    private static Map<Long, List<InvitationUse>> uses(Reads reads, List<Long> ids) {
        return ids.isEmpty()
                ? Map.of()
                : reads
                        .query("""
                        SELECT i.invitation_id, u.id, u.nickname
                        FROM accounts.invitation_uses i
                        JOIN accounts.users u ON u.id = i.user_id
                        WHERE i.invitation_id = ANY(:ids)
                        ORDER BY i.invitation_id, u.id
                        """)
                        .bindArray("ids", Long.class, ids)
                        .map(row -> Map.entry(
                                row.getLong("invitation_id"),
                                new InvitationUse(
                                        new UserId(row.getLong("id")), new Nickname(row.getString("nickname")))))
                        .list()
                        .stream()
                        .collect(Collectors.groupingBy(
                                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /** Of {@code owner}, or of anybody for null; nothing if there is none that was not revoked. */
    Optional<Invitation> revoke(Tx tx, InvitationId id, @Nullable UserId owner, Instant now) {
        return tx.query("""
                UPDATE accounts.invitations
                SET revoked_at = :now
                WHERE id = :id AND revoked_at IS NULL AND created_by = coalesce(:owner, created_by)
                RETURNING id, created_by, email, note, max_uses, uses, expires_at, revoked_at
                """)
                .bind("id", id.value())
                .bind("owner", owner == null ? null : owner.value())
                .bind("now", now)
                .map(row -> invitation(row, List.of()))
                .findOne();
    }

    /** The row's lock lets sign-ups at once count one after the other; false if none is left. */
    boolean use(Tx tx, InvitationId id, Email email, Instant now) {
        return tx.update("""
                        UPDATE accounts.invitations
                        SET uses = uses + 1
                        WHERE id = :id AND uses < max_uses AND expires_at > :now AND revoked_at IS NULL
                          AND (email IS NULL OR email = :email)
                        """)
                        .bind("id", id.value())
                        .bind("email", email.value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    void insertUse(Tx tx, InvitationId id, UserId user) {
        tx.update("INSERT INTO accounts.invitation_uses (invitation_id, user_id) VALUES (:id, :user)")
                .bind("id", id.value())
                .bind("user", user.value())
                .execute();
    }

    void attach(Tx tx, InvitationId id, CodeId code) {
        tx.update("UPDATE accounts.codes SET invitation_id = :invitation WHERE id = :id")
                .bind("id", code.value())
                .bind("invitation", id.value())
                .execute();
    }

    Optional<InvitationId> attached(Reads reads, CodeId code) {
        return reads.query("SELECT invitation_id FROM accounts.codes WHERE id = :id AND invitation_id IS NOT NULL")
                .bind("id", code.value())
                .map(row -> new InvitationId(row.getLong("invitation_id")))
                .findOne();
    }

    int deleteExpired(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.invitations
                        WHERE id IN (
                            SELECT id FROM accounts.invitations
                            WHERE expires_at <= :before
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    private static Invitation invitation(ResultSet row, List<InvitationUse> uses) throws SQLException {
        @Nullable String email = row.getString("email");
        return new Invitation(
                new InvitationId(row.getLong("id")),
                new UserId(row.getLong("created_by")),
                email == null ? null : new Email(email),
                row.getString("note"),
                row.getInt("max_uses"),
                row.getInt("uses"),
                Columns.instant(row, "expires_at"),
                Columns.instantOrNull(row, "revoked_at"),
                uses);
    }
}
