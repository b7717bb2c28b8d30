package io.hiroba.saga.call;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.secrets.EncryptedColumn;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.secrets.UnreadableSecretException;
import io.hiroba.saga.call.CallSecrets.SigningSecret;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and decrypts the secrets that calls of a service are sent with. */
final class CallSecretReader {

    private static final Logger log = LoggerFactory.getLogger(CallSecretReader.class);

    private final Encryption encryption;
    private final ServiceSecretStore store = new ServiceSecretStore();

    CallSecretReader(Encryption encryption) {
        this.encryption = encryption;
        encryption.register(ServiceSecretStore.CREDENTIALS);
        encryption.register(ServiceSecretStore.SIGNING_KEYS);
    }

    CallSecrets read(Reads reads, String service, Endpoint endpoint) {
        var origin = endpoint.origin();
        var credentials = store.findCredentials(reads, service, origin);
        var signing = store.listSigning(reads, service);
        if (credentials.isEmpty() && signing.isEmpty()) {
            return CallSecrets.NONE;
        }
        try {
            return new CallSecrets(
                    credentials
                            .map(secret -> decrypted(
                                    ServiceSecretStore.CREDENTIALS, ServiceSecretStore.row(service, origin), secret))
                            .orElse(null),
                    signing.stream()
                            .map(key -> SigningSecret.of(
                                    key.id(),
                                    decrypted(
                                            ServiceSecretStore.SIGNING_KEYS,
                                            ServiceSecretStore.row(service, key.id()),
                                            key.secret())))
                            .toList(),
                    true);
        } catch (UnreadableSecretException e) {
            log.warn("The secrets of the service {} cannot be read: {}", service, e.getMessage());
            return CallSecrets.UNREADABLE;
        }
    }

    private String decrypted(EncryptedColumn column, String row, byte[] secret) {
        return new String(encryption.decrypt(column, row, secret), StandardCharsets.UTF_8);
    }
}
