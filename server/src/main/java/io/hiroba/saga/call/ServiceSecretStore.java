package io.hiroba.saga.call;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.secrets.EncryptedColumn;
import io.hiroba.saga.call.ServiceSecrets.CredentialKind;
import io.hiroba.saga.call.ServiceSecrets.ServiceCredentials;
import io.hiroba.saga.call.ServiceSecrets.SigningKey;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rows of credentials and signing keys of services; the secrets are encrypted. */
final class ServiceSecretStore {

    static final EncryptedColumn CREDENTIALS =
            new EncryptedColumn("saga.service_credentials", "service || ' ' || origin");
    static final EncryptedColumn SIGNING_KEYS = new EncryptedColumn("saga.signing_keys", "service || ' ' || id");

    /** A row's identity, as the columns say. */
    static String row(String service, String part) {
        return service + " " + part;
    }

    Optional<byte[]> findCredentials(Reads reads, String service, String origin) {
        return reads.query("""
                SELECT secret FROM saga.service_credentials
                WHERE service = :service AND origin = :origin
                """)
                .bind("service", service)
                .bind("origin", origin)
                .mapTo(byte[].class)
                .findOne();
    }

    /** A signing key with its encrypted secret. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record SigningRow(String id, byte[] secret) {}

    List<SigningRow> listSigning(Reads reads, String service) {
        return reads.query("""
                SELECT id, secret FROM saga.signing_keys
                WHERE service = :service
                ORDER BY created_at, slot
                """)
                .bind("service", service)
                .map(row -> new SigningRow(row.getString("id"), row.getBytes("secret")))
                .list();
    }

    /** By service. */
    Map<String, ServiceCredentials> credentials(Reads reads, Collection<String> services) {
        return reads
                .query("""
                SELECT service, origin, kind, updated_by, updated_at FROM saga.service_credentials
                WHERE service = ANY (:services)
                """)
                .bindArray("services", String.class, services)
                .map(row -> Map.entry(
                        row.getString("service"),
                        new ServiceCredentials(
                                CredentialKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                                row.getString("origin"),
                                row.getString("updated_by"),
                                Columns.instant(row, "updated_at"))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** By service, the oldest first. */
    Map<String, List<SigningKey>> signingKeys(Reads reads, Collection<String> services) {
        return reads
                .query("""
                SELECT service, id, created_by, created_at FROM saga.signing_keys
                WHERE service = ANY (:services)
                ORDER BY created_at, slot
                """)
                .bindArray("services", String.class, services)
                .map(row -> Map.entry(
                        row.getString("service"),
                        new SigningKey(
                                row.getString("id"), row.getString("created_by"), Columns.instant(row, "created_at"))))
                .list()
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    void saveCredentials(Tx tx, String service, String origin, CredentialKind kind, byte[] secret, String by) {
        tx.update("""
                        INSERT INTO saga.service_credentials (service, origin, kind, secret, updated_by)
                        VALUES (:service, :origin, :kind, :secret, :by)
                        ON CONFLICT (service) DO UPDATE
                        SET origin = excluded.origin, kind = excluded.kind, secret = excluded.secret,
                            updated_by = excluded.updated_by, updated_at = now()
                        """)
                .bind("service", service)
                .bind("origin", origin)
                .bind("kind", kind.code())
                .bind("secret", secret)
                .bind("by", by)
                .execute();
    }

    boolean deleteCredentials(Tx tx, String service) {
        return tx.update("DELETE FROM saga.service_credentials WHERE service = :service")
                        .bind("service", service)
                        .execute()
                == 1;
    }

    /** Deletes credentials that were set for another origin. */
    void deleteCredentialsElsewhere(Tx tx, String service, String origin) {
        tx.update("DELETE FROM saga.service_credentials WHERE service = :service AND origin <> :origin")
                .bind("service", service)
                .bind("origin", origin)
                .execute();
    }

    /** False if there are as many as there may be. */
    boolean insertSigning(Tx tx, String service, SigningRow key, String by) {
        return tx.update("""
                        INSERT INTO saga.signing_keys (service, slot, id, secret, created_by)
                        SELECT :service, free.slot, :id, :secret, :by
                        FROM generate_series(1, 2) AS free (slot)
                        WHERE NOT EXISTS (
                            SELECT 1 FROM saga.signing_keys AS k WHERE k.service = :service AND k.slot = free.slot)
                        LIMIT 1
                        ON CONFLICT (service, slot) DO NOTHING
                        """)
                        .bind("service", service)
                        .bind("id", key.id())
                        .bind("secret", key.secret())
                        .bind("by", by)
                        .execute()
                == 1;
    }

    boolean deleteSigning(Tx tx, String service, String id) {
        return tx.update("DELETE FROM saga.signing_keys WHERE service = :service AND id = :id")
                        .bind("service", service)
                        .bind("id", id)
                        .execute()
                == 1;
    }

    void deleteAllSigning(Tx tx, String service) {
        tx.update("DELETE FROM saga.signing_keys WHERE service = :service")
                .bind("service", service)
                .execute();
    }
}
