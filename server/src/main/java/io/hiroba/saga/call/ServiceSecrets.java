package io.hiroba.saga.call;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.call.Services.Service;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sets the credentials that calls of a service are sent with, and the keys that they are signed with, as an admin. */
public final class ServiceSecrets {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_LENGTH = 4000;
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;
    private static final Pattern VISIBLE_ASCII = Pattern.compile("[!-~]+");
    private static final Pattern PRINTABLE = Pattern.compile("\\P{Cntrl}+");

    private final Db db;
    private final Services services;
    private final Encryption encryption;
    private final AuditLog audit;
    private final ServiceSecretStore store = new ServiceSecretStore();

    public ServiceSecrets(Db db, Services services, Encryption encryption, AuditLog audit) {
        this.db = db;
        this.services = services;
        this.encryption = encryption;
        this.audit = audit;
    }

    public Services services() {
        return services;
    }

    /** The kinds of credentials. */
    public enum CredentialKind {
        BEARER,
        BASIC;

        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The credentials of a service, without themselves.
     *
     * @param origin the only place that they are sent to
     */
    public record ServiceCredentials(CredentialKind kind, String origin, String setBy, Instant setAt) {}

    /** A signing key, without itself. */
    public record SigningKey(String id, String createdBy, Instant createdAt) {}

    /** A signing key as it is shown once. */
    public record NewSigningKey(String id, String secret) {}

    /** The secrets that a service has. */
    public record SecretList(@Nullable ServiceCredentials credentials, List<SigningKey> signingKeys) {

        public static final SecretList NONE = new SecretList(null, List.of());

        public SecretList {
            signingKeys = List.copyOf(signingKeys);
        }
    }

    /** The secrets of services that the caller may see, by name. */
    public Map<String, SecretList> list(Collection<Service> shown) {
        var names = shown.stream().map(Service::name).toList();
        return db.read(reads -> {
            var credentials = store.credentials(reads, names);
            var keys = store.signingKeys(reads, names);
            return shown.stream().collect(Collectors.toMap(Service::name, service -> {
                var endpoint = service.endpoint();
                var set = credentials.get(service.name());
                boolean isSent =
                        set != null && endpoint != null && endpoint.origin().equals(set.origin());
                return new SecretList(isSent ? set : null, keys.getOrDefault(service.name(), List.of()));
            }));
        });
    }

    /** Lets calls of the service be sent with a bearer token. */
    public void setBearer(Caller caller, String service, String token) {
        require("bearer", token, VISIBLE_ASCII, "saga.field.bearer");
        setCredentials(caller, service, CredentialKind.BEARER, "Bearer " + token);
    }

    /** Lets calls of the service be sent with a user name and a password (RFC 7617). */
    public void setBasic(Caller caller, String service, String user, String password) {
        require("user", user, PRINTABLE, "saga.field.basic");
        require("password", password, PRINTABLE, "saga.field.basic");
        if (user.indexOf(':') >= 0) {
            throw SagaProblem.invalid("user", Text.of("saga.field.basic-user"));
        }
        var pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        setCredentials(
                caller,
                service,
                CredentialKind.BASIC,
                "Basic " + Base64.getEncoder().encodeToString(pair));
    }

    private static void require(String field, String value, Pattern pattern, String message) {
        if (value.length() > MAX_LENGTH || !pattern.matcher(value).matches()) {
            throw SagaProblem.invalid(field, Text.of(message, "max", Integer.toString(MAX_LENGTH)));
        }
    }

    private void setCredentials(Caller caller, String service, CredentialKind kind, String authorization) {
        change(caller, service, Action.SERVICE_CREDENTIALS_SET, tx -> {
            var origin = services.hold(tx, service).origin();
            var secret = encryption.encrypt(
                    tx,
                    ServiceSecretStore.CREDENTIALS,
                    ServiceSecretStore.row(service, origin),
                    authorization.getBytes(StandardCharsets.UTF_8));
            store.saveCredentials(
                    tx, service, origin, kind, secret, caller.actor().hex());
            return service;
        });
    }

    public void removeCredentials(Caller caller, String service) {
        change(caller, service, Action.SERVICE_CREDENTIALS_REMOVED, tx -> {
            services.hold(tx, service);
            if (!store.deleteCredentials(tx, service)) {
                throw SagaProblem.noCredentials(service);
            }
            return service;
        });
    }

    /** Lets calls of the service be signed with one more key, which is told this once. */
    public NewSigningKey addSigningKey(Caller caller, String service) {
        var key = new NewSigningKey(
                HexFormat.of().formatHex(random(ID_BYTES)),
                Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES)));
        return change(caller, service, Action.SIGNING_KEY_CREATED, tx -> {
            services.hold(tx, service);
            var secret = encryption.encrypt(
                    tx,
                    ServiceSecretStore.SIGNING_KEYS,
                    ServiceSecretStore.row(service, key.id()),
                    key.secret().getBytes(StandardCharsets.US_ASCII));
            var row = new ServiceSecretStore.SigningRow(key.id(), secret);
            var by = caller.actor().hex();
            boolean isAdded = store.insertSigning(tx, service, row, by);
            if (!isAdded) {
                // Another may have taken the place meanwhile: there is one more.
                isAdded = store.insertSigning(tx, service, row, by);
            }
            if (!isAdded) {
                throw SagaProblem.enoughSigningKeys(service);
            }
            return key;
        });
    }

    public void revokeSigningKey(Caller caller, String service, String id) {
        change(caller, service, Action.SIGNING_KEY_REVOKED, tx -> {
            services.hold(tx, service);
            if (!store.deleteSigning(tx, service, id)) {
                throw SagaProblem.noSigningKey();
            }
            return id;
        });
    }

    private <T> T change(Caller caller, String service, Action action, Function<Tx, T> change) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            tx.afterCommit(() -> services.forget(service));
            var changed = change.apply(tx);
            audit.record(tx, caller, action, Services.audited(service));
            return changed;
        });
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
