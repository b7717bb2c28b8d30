package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of the account in an export: no secret and no hash of one. */
final class AccountExportStore {

    private static final Lines PROFILE = new Lines("profile.jsonl", "", """
            SELECT 'x' AS key, u.id, u.email, u.nickname, u.is_admin, u.avatar, u.ai_model, u.time_zone, u.language,
                   d.introduction, d.ai_personality, u.created_at, u.updated_at
            FROM accounts.users u
            LEFT JOIN accounts.user_details d ON d.user_id = u.id
            WHERE u.id = :user AND :after = ''
            LIMIT :limit
            """);

    private static final Lines SESSIONS = new Lines("sessions.jsonl", "0", """
            SELECT id::text AS key, id, address, agent, admin_id IS NOT NULL AS is_admin_acting,
                   to_timestamp((id >> 20) / 1000.0) AS created_at, last_used_at, expires_at
            FROM accounts.sessions
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines LOG_INS = new Lines("log-ins.jsonl", "0", """
            SELECT id::text AS key, id, address, agent, to_timestamp((id >> 20) / 1000.0) AS created_at
            FROM accounts.log_ins
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines TOKENS = new Lines("tokens.jsonl", "0", """
            SELECT id::text AS key, id, name, scopes, to_timestamp((id >> 20) / 1000.0) AS created_at, last_used_at, expires_at
            FROM accounts.api_tokens
            WHERE user_id = :user AND grant_id IS NULL AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines SECOND_FACTORS = new Lines("second-factors.jsonl", "0", """
            SELECT id::text AS key, id, kind, name, created_at, last_used_at
            FROM (SELECT id, 'passkey' AS kind, name, to_timestamp((id >> 20) / 1000.0) AS created_at, last_used_at
                  FROM accounts.passkeys
                  WHERE user_id = :user
                  UNION ALL
                  SELECT id, 'app', NULL, to_timestamp((id >> 20) / 1000.0), last_used_at
                  FROM accounts.authenticator_apps
                  WHERE user_id = :user AND is_confirmed) AS factors
            WHERE id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines IDENTITIES = new Lines("identities.jsonl", "0", """
            SELECT id::text AS key, id, issuer, subject, name, to_timestamp((id >> 20) / 1000.0) AS created_at, last_used_at
            FROM accounts.identities
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines APPS = new Lines("apps.jsonl", "0", """
            SELECT g.id::text AS key, g.id, c.name, g.scopes, to_timestamp((g.id >> 20) / 1000.0) AS created_at,
                   g.last_used_at, g.expires_at
            FROM accounts.oauth_grants g
            JOIN accounts.oauth_clients c ON c.id = g.client_id
            WHERE g.user_id = :user AND g.id > CAST(:after AS bigint)
            ORDER BY g.id
            LIMIT :limit
            """);

    private static final Lines INVITATIONS = new Lines("invitations.jsonl", "0", """
            SELECT id::text AS key, id, email, note, max_uses, uses, to_timestamp((id >> 20) / 1000.0) AS created_at,
                   expires_at, revoked_at
            FROM accounts.invitations
            WHERE created_by = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines CONSENTS = new Lines("consents.jsonl", "0", """
            SELECT user_id::text AS key, notice_url, agreed_at
            FROM accounts.consents
            WHERE user_id = :user AND user_id > CAST(:after AS bigint)
            ORDER BY user_id
            LIMIT :limit
            """);

    private static final Lines AI_ACTIONS = new Lines("ai-actions.jsonl", "0", """
            SELECT id::text AS key, id, payload, to_timestamp((id >> 20) / 1000.0) AS created_at
            FROM accounts.ai_actions
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    /** The entries about the person and by them. Who else acted stays untold, as it is on every page that is not for admins. */
    private static final Lines AUDIT = new Lines("audit.jsonl", "0", """
            SELECT id::text AS key, id, action, to_timestamp((id >> 20) / 1000.0) AS created_at,
                   coalesce(actor_id = :user, false) AS is_own_act, subject_id,
                   CASE WHEN actor_id = :user THEN detail END AS detail
            FROM accounts.audit_log
            WHERE (subject_id = :user OR actor_id = :user) AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private AccountExportStore() {}

    static ExportPart part(Db db) {
        var files = List.of(
                PROFILE,
                CONSENTS,
                SESSIONS,
                LOG_INS,
                TOKENS,
                SECOND_FACTORS,
                IDENTITIES,
                APPS,
                INVITATIONS,
                AI_ACTIONS,
                AUDIT);
        return new ExportPart("account", Text.of("accounts.export-part"), ExportLineStore.content(db, files));
    }
}
