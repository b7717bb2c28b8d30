package io.hiroba.accounts;

import com.yubico.webauthn.AssertionRequest;
import com.yubico.webauthn.AssertionResult;
import com.yubico.webauthn.FinishAssertionOptions;
import com.yubico.webauthn.FinishRegistrationOptions;
import com.yubico.webauthn.RelyingParty;
import com.yubico.webauthn.StartAssertionOptions;
import com.yubico.webauthn.StartRegistrationOptions;
import com.yubico.webauthn.data.AuthenticatorSelectionCriteria;
import com.yubico.webauthn.data.PublicKeyCredential;
import com.yubico.webauthn.data.PublicKeyCredentialCreationOptions;
import com.yubico.webauthn.data.ResidentKeyRequirement;
import com.yubico.webauthn.data.UserIdentity;
import com.yubico.webauthn.data.UserVerificationRequirement;
import com.yubico.webauthn.exception.AssertionFailedException;
import com.yubico.webauthn.exception.InvalidSignatureCountException;
import com.yubico.webauthn.exception.RegistrationFailedException;
import io.hiroba.accounts.SecondFactors.FactorId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.i18n.TextDirection;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.RetentionSweep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Adds passkeys (WebAuthn) and verifies their signatures. Each ceremony answers a challenge of the server, which is kept in the
 * database for all nodes, for one answer within five minutes. Passkeys are discoverable and verify the person who holds them, so
 * that one alone is two factors.
 *
 * <p>An origin is the address at which the browser has the page, such as {@code http://localhost:8080}; it counts only where
 * {@code http.public-url} is not set.
 */
public final class Passkeys {

    private static final Duration CHALLENGE_LIFETIME = Duration.ofMinutes(5);
    private static final int MAX_PER_USER = 20;
    private static final int MAX_NAME = 100;
    private static final int MAX_ANSWER = 20_000;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final Users users;
    private final RelyingParties sites;
    private final SecondFactors factors;
    private final Sessions sessions;
    private final PasskeyStore store = new PasskeyStore();
    private final SecondFactorStore enrolments = new SecondFactorStore();

    Passkeys(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            Users users,
            RelyingParties sites,
            SecondFactors factors,
            Sessions sessions) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.users = users;
        this.sites = sites;
        this.factors = factors;
        this.sessions = sessions;
    }

    /** The purpose of a challenge; an answer is good for no other. */
    enum Purpose {
        REGISTER,
        LOG_IN,
        SECOND_FACTOR,
        CONFIRM
    }

    /**
     * A challenge to a browser.
     *
     * @param options the JSON that the browser's API takes
     */
    public record Challenge(String id, String options) {}

    /** The answer of a browser: the challenge's id and the credential as JSON. */
    public record PasskeyAnswer(String challenge, String credential) {}

    /** Whether the site has what browsers ask for: a name, and TLS unless it is localhost. */
    public boolean isAvailable(String origin) {
        return sites.of(origin).isPresent();
    }

    public Challenge startRegistration(String origin, Caller caller) {
        caller.requireNotActing();
        var owner = users.profile(caller.user()).user();
        var request = site(origin)
                .startRegistration(StartRegistrationOptions.builder()
                        .user(UserIdentity.builder()
                                .name(owner.email().value())
                                .displayName(owner.nickname().value())
                                .id(RelyingParties.handle(caller.user()))
                                .build())
                        .authenticatorSelection(AuthenticatorSelectionCriteria.builder()
                                .residentKey(ResidentKeyRequirement.REQUIRED)
                                .userVerification(UserVerificationRequirement.REQUIRED)
                                .build())
                        .timeout(CHALLENGE_LIFETIME.toMillis())
                        .build());
        try {
            return save(
                    Purpose.REGISTER, Optional.of(caller.user()), request.toJson(), request.toCredentialsCreateJson());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a passkey. Returns recovery codes where the account had no second factor. */
    public List<String> finishRegistration(String origin, Caller caller, PasskeyAnswer answer, String typedName) {
        var name = name(typedName);
        var credential = register(site(origin), caller.user(), answer);
        return factors.changed(caller, "", tx -> {
            if (store.list(tx, caller.user()).size() >= MAX_PER_USER) {
                throw AccountsProblem.tooManyPasskeys(MAX_PER_USER);
            }
            boolean isFirst = !enrolments.isEnrolled(tx, caller.user());
            if (!store.insert(tx, new FactorId(ids.next()), credential, name)) {
                throw AccountsProblem.passkeyNotAdded();
            }
            return factors.added(tx, caller, isFirst);
        });
    }

    private PasskeyStore.Credential register(RelyingParty site, UserId user, PasskeyAnswer answer) {
        var request = take(Purpose.REGISTER, Optional.of(user), answer).orElseThrow(AccountsProblem::passkeyNotAdded);
        try {
            var result = site.finishRegistration(FinishRegistrationOptions.builder()
                    .request(PublicKeyCredentialCreationOptions.fromJson(request))
                    .response(PublicKeyCredential.parseRegistrationResponseJson(answer.credential()))
                    .build());
            return new PasskeyStore.Credential(
                    result.getKeyId().getId().getBytes(),
                    user,
                    result.getPublicKeyCose().getBytes(),
                    result.getSignatureCount());
        } catch (IOException | RegistrationFailedException | IllegalArgumentException e) {
            throw AccountsProblem.passkeyNotAdded();
        }
    }

    private static String name(String typed) {
        var name = typed.strip();
        int length = name.codePointCount(0, name.length());
        if (length < 1 || length > MAX_NAME || name.codePoints().anyMatch(Character::isISOControl)) {
            throw AccountsProblem.invalid("name", Text.of("accounts.field.token-name", "max", MAX_NAME));
        }
        if (TextDirection.isSet(name)) {
            throw AccountsProblem.invalid("name", Text.of("http.field.direction"));
        }
        return name;
    }

    /** A challenge for a log-in with a passkey alone: any of this site. */
    public Challenge startLogIn(String origin) {
        return startAssertion(origin, Purpose.LOG_IN, Optional.empty());
    }

    /** A challenge by which the person behind a session confirms it. */
    public Challenge startConfirmation(String origin, Caller caller) {
        return startAssertion(origin, Purpose.CONFIRM, Optional.of(caller.actor()));
    }

    /** Confirms the caller's session with a passkey, in place of the password. */
    public void confirm(String origin, Caller caller, PasskeyAnswer answer) {
        var session = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        var signed = verify(origin, Purpose.CONFIRM, Optional.of(caller.actor()), answer);
        db.useTransaction(tx -> {
            use(tx, signed);
            sessions.confirm(tx, session);
        });
    }

    Challenge startAssertion(String origin, Purpose purpose, Optional<UserId> user) {
        var request = site(origin)
                .startAssertion(StartAssertionOptions.builder()
                        .username(
                                user.map(id -> users.profile(id).user().email().value()))
                        .userVerification(UserVerificationRequirement.REQUIRED)
                        .timeout(CHALLENGE_LIFETIME.toMillis())
                        .build());
        try {
            return save(purpose, user, request.toJson(), request.toCredentialsGetJson());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A signature that was verified, which {@link #use} has yet to accept. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Signed(UserId user, byte[] credentialId, long signCount) {}

    /** Verifies an answer, outside a transaction: the library looks passkeys up itself. */
    Signed verify(String origin, Purpose purpose, Optional<UserId> user, PasskeyAnswer answer) {
        var request = take(purpose, user, answer).orElseThrow(AccountsProblem::passkeyRefused);
        try {
            return signed(site(origin)
                    .finishAssertion(FinishAssertionOptions.builder()
                            .request(AssertionRequest.fromJson(request))
                            .response(PublicKeyCredential.parseAssertionResponseJson(answer.credential()))
                            .build()));
        } catch (InvalidSignatureCountException e) {
            throw AccountsProblem.passkeyCopied();
        } catch (IOException | AssertionFailedException | IllegalArgumentException e) {
            throw AccountsProblem.passkeyRefused();
        }
    }

    private static Signed signed(AssertionResult result) {
        var credential = result.getCredential();
        var owner = RelyingParties.user(credential.getUserHandle()).orElseThrow(AccountsProblem::passkeyRefused);
        return new Signed(owner, credential.getCredentialId().getBytes(), result.getSignatureCount());
    }

    /** Accepts a signature in the transaction of what it is for, unless the passkey was removed or signed since. */
    void use(Tx tx, Signed signed) {
        if (!store.use(tx, signed.credentialId(), signed.signCount(), clock.instant())) {
            throw store.find(tx, signed.credentialId()).isPresent()
                    ? AccountsProblem.passkeyCopied()
                    : AccountsProblem.passkeyRefused();
        }
    }

    private RelyingParty site(String origin) {
        return sites.of(origin).orElseThrow(AccountsProblem::passkeysUnavailable);
    }

    private Challenge save(Purpose purpose, Optional<UserId> user, String request, String options) {
        var secret = BearerSecret.random(BearerSecret.CHALLENGE);
        var expiresAt = clock.instant().plus(CHALLENGE_LIFETIME);
        db.useTransaction(tx -> store.insertChallenge(tx, secret, code(purpose), user, request, expiresAt));
        return new Challenge(secret.text(), options);
    }

    private Optional<String> take(Purpose purpose, Optional<UserId> user, PasskeyAnswer answer) {
        var secret = new BearerSecret(answer.challenge());
        if (!secret.isWellFormed(BearerSecret.CHALLENGE) || answer.credential().length() > MAX_ANSWER) {
            return Optional.empty();
        }
        return db.inTransaction(tx -> store.takeChallenge(tx, secret, code(purpose), user, clock.instant()));
    }

    private static String code(Purpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Deletes challenges that nobody answered. */
    void sweep() {
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpiredChallenges(tx, clock.instant(), limit)));
    }
}
