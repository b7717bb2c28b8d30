package io.hiroba.accounts;

import com.yubico.webauthn.CredentialRepository;
import com.yubico.webauthn.RegisteredCredential;
import com.yubico.webauthn.RelyingParty;
import com.yubico.webauthn.data.AttestationConveyancePreference;
import com.yubico.webauthn.data.ByteArray;
import com.yubico.webauthn.data.PublicKeyCredentialDescriptor;
import com.yubico.webauthn.data.RelyingPartyIdentity;
import io.hiroba.platform.db.Db;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the site that passkeys are of: that of {@code http.public-url}, or where it is not set, localhost as a request names it.
 * Browsers know passkeys by the site's name, and only over TLS or on localhost.
 */
final class RelyingParties {

    private final Db db;
    private final Users users;
    private final String publicUrl;
    private final PasskeyStore store = new PasskeyStore();

    RelyingParties(Db db, Users users, String publicUrl) {
        this.db = db;
        this.users = users;
        this.publicUrl = publicUrl;
    }

    /** None where browsers would refuse passkeys. */
    Optional<RelyingParty> of(String requested) {
        var origin = (publicUrl.isEmpty() ? requested : publicUrl).toLowerCase(Locale.ROOT);
        return host(origin)
                .filter(host -> isLocal(host) || (origin.startsWith("https:") && !publicUrl.isEmpty()))
                .map(host -> RelyingParty.builder()
                        .identity(RelyingPartyIdentity.builder()
                                .id(host)
                                .name("Hiroba")
                                .build())
                        .credentialRepository(new Repository())
                        .origins(Set.of(origin))
                        .attestationConveyancePreference(AttestationConveyancePreference.NONE)
                        .build());
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || host.endsWith(".localhost");
    }

    /** The host, if it is a name. */
    private static Optional<String> host(String origin) {
        try {
            return Optional.ofNullable(URI.create(origin).getHost())
                    .filter(host -> !host.startsWith("[") && !host.matches("[0-9.]+"));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The bytes by which an authenticator knows an account. */
    static ByteArray handle(UserId user) {
        return new ByteArray(
                ByteBuffer.allocate(Long.BYTES).putLong(user.value()).array());
    }

    static Optional<UserId> user(ByteArray handle) {
        return Optional.of(handle)
                .filter(bytes -> bytes.size() == Long.BYTES)
                .map(bytes -> new UserId(ByteBuffer.wrap(bytes.getBytes()).getLong()));
    }

    /** The passkeys as the library looks them up; its user names are e-mail addresses. */
    private final class Repository implements CredentialRepository {

        @Override
        public Set<PublicKeyCredentialDescriptor> getCredentialIdsForUsername(String username) {
            return db.read(reads -> users.findByEmail(reads, new Email(username)).stream()
                    .flatMap(user -> store.credentials(reads, user).stream())
                    .map(credential -> PublicKeyCredentialDescriptor.builder()
                            .id(new ByteArray(credential.id()))
                            .build())
                    .collect(Collectors.toSet()));
        }

        @Override
        public Optional<ByteArray> getUserHandleForUsername(String username) {
            return db.read(reads -> users.findByEmail(reads, new Email(username)))
                    .map(RelyingParties::handle);
        }

        @Override
        public Optional<String> getUsernameForUserHandle(ByteArray handle) {
            return user(handle)
                    .flatMap(users::find)
                    .map(profile -> profile.user().email().value());
        }

        @Override
        public Optional<RegisteredCredential> lookup(ByteArray credentialId, ByteArray handle) {
            return lookupAll(credentialId).stream()
                    .filter(credential -> credential.getUserHandle().equals(handle))
                    .findFirst();
        }

        @Override
        public Set<RegisteredCredential> lookupAll(ByteArray credentialId) {
            return db.read(reads -> store.find(reads, credentialId.getBytes())).stream()
                    .map(credential -> RegisteredCredential.builder()
                            .credentialId(credentialId)
                            .userHandle(handle(credential.user()))
                            .publicKeyCose(new ByteArray(credential.publicKey()))
                            .signatureCount(credential.signCount())
                            .build())
                    .collect(Collectors.toSet());
        }
    }
}
