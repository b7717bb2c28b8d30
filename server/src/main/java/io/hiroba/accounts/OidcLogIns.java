package io.hiroba.accounts;

import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import io.hiroba.accounts.OidcConfig.ProviderSignUp;
import io.hiroba.accounts.OidcStore.Attempt;
import io.hiroba.accounts.OidcStore.PendingIdentity;
import io.hiroba.accounts.Sessions.StartedSession;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.task.RetentionSweep;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Signs people in whom an OpenID Connect provider has authenticated, links their identities to accounts and creates accounts
 * for them. An identity is linked to an account only by who is signed in to it and says so (ADR 72).
 */
public final class OidcLogIns {

    /** The path of the page on which somebody who is signed in links an identity. */
    public static final String LINK = "/login/link-identity";

    /** The path of the page on which somebody without an account creates one. */
    public static final String SIGN_UP = "/signup/identity";

    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final Throttle.Limit OF_ADDRESS = new Throttle.Limit(60, Duration.ofMinutes(1));

    private final Platform platform;
    private final Db db;
    private final Clock clock;
    private final Map<String, OidcProvider> providers = new LinkedHashMap<>();
    private final Users users;
    private final Sessions sessions;
    private final SignUpRules rules;
    private final SignUpNotice notice;
    private final Invitations invitations;
    private final AuditLog audit;
    private final OidcStore store = new OidcStore();
    private final UserStore accounts = new UserStore();

    OidcLogIns(
            Platform platform,
            AccountsConfig config,
            Users users,
            Sessions sessions,
            Invitations invitations,
            AuditLog audit) {
        this.platform = platform;
        this.db = platform.db();
        this.clock = platform.clock();
        this.users = users;
        this.sessions = sessions;
        this.rules = config.signUp();
        this.notice = new SignUpNotice(config.noticeUrl());
        this.invitations = invitations;
        this.audit = audit;
        new TreeMap<>(config.oidc())
                .forEach((id, provider) -> providers.put(id, new OidcProvider(id, provider, clock)));
    }

    /** A provider that people can sign in with. */
    public record ProviderName(String id, String name) {}

    /** The configured providers. */
    public List<ProviderName> providers() {
        return providers.values().stream()
                .map(provider -> new ProviderName(provider.id(), provider.name()))
                .toList();
    }

    /**
     * A sign-in that has begun.
     *
     * @param location the address at the provider
     * @param browser the secret of a cookie, without which the answer is worth nothing
     */
    public record StartedLogIn(String location, String browser) {

        @Override
        public String toString() {
            return "StartedLogIn[…]";
        }
    }

    /**
     * Begins a sign-in with a provider.
     *
     * @param next the path to show afterwards
     * @param invitation the secret of an invitation for who has no account
     * @param callback the address to which the provider sends the browser back
     */
    public StartedLogIn start(
            ClientInfo client, String provider, String next, Optional<String> invitation, URI callback) {
        var chosen = provider(provider);
        var verdict = platform.throttle().check("oidc:address:" + client.bucket(), OF_ADDRESS);
        if (!verdict.allowed()) {
            throw AccountsProblem.tooOften(verdict.retryAfter());
        }
        var invited = invitation.map(invitations::requireOpen).map(Invitations.Invitation::id);
        var attempt = new Attempt(
                new State().getValue(),
                provider,
                new Nonce().getValue(),
                new CodeVerifier().getValue(),
                next,
                invited.orElse(null));
        var location = chosen.authorization(attempt, callback);
        var browser = BearerSecret.random(BearerSecret.OIDC);
        db.useTransaction(
                tx -> store.insertAttempt(tx, attempt, browser, clock.instant().plus(LIFETIME)));
        return new StartedLogIn(location, browser.text());
    }

    /**
     * The result of a sign-in.
     *
     * @param session null where the browser has one already or something is left to do
     * @param waiting the secret of a cookie, for the identity that waits for an account; null for none
     * @param next the path to show
     */
    public record FinishedLogIn(
            @Nullable StartedSession session, @Nullable String waiting, String next) {

        @Override
        public String toString() {
            return "FinishedLogIn[next=" + next + "]";
        }
    }

    /**
     * Ends a sign-in with the answer of the provider, which is good once and in the browser that began it.
     *
     * @param caller who is signed in already
     * @param browser the secret of the cookie
     * @param parameters of the answer
     */
    public FinishedLogIn finish(
            ClientInfo client,
            Optional<Caller> caller,
            String provider,
            String browser,
            Map<String, List<String>> parameters,
            URI callback) {
        var chosen = provider(provider);
        var secret = secret(browser);
        var state = parameters.getOrDefault("state", List.of()).stream().findFirst();
        var attempt = state.flatMap(given ->
                        db.inTransaction(tx -> store.takeAttempt(tx, given, secret, provider, clock.instant())))
                .orElseThrow(AccountsProblem::oidcExpired);
        var identity = chosen.identity(parameters, attempt, callback);
        requireAllowed(chosen, identity);
        return db.inTransaction(tx -> finish(tx, client, caller, chosen, attempt, identity));
    }

    private FinishedLogIn finish(
            Tx tx,
            ClientInfo client,
            Optional<Caller> caller,
            OidcProvider provider,
            Attempt attempt,
            OidcIdentity identity) {
        var owner = store.use(tx, identity, clock.instant());
        if (owner.isPresent()) {
            if (caller.isPresent() && !caller.get().user().equals(owner.get())) {
                throw AccountsProblem.identityTaken();
            }
            followRole(tx, owner.get(), identity);
            return new FinishedLogIn(
                    caller.isPresent() ? null : sessions.logInByProvider(tx, client, owner.get()),
                    null,
                    attempt.next());
        }
        var next = LINK;
        if (caller.isEmpty()) {
            var email = identity.email().orElseThrow(() -> AccountsProblem.oidcUnverified(provider.name()));
            if (users.findByEmail(tx, email).isEmpty()) {
                requireSignUp(provider, email, attempt.invitation());
                next = SIGN_UP;
            }
        }
        var pending = new PendingIdentity(provider.id(), identity, attempt.next(), attempt.invitation());
        // A new secret, since whoever knew the former one must not have the identity.
        var waiting = BearerSecret.random(BearerSecret.OIDC);
        store.insertPending(tx, pending, waiting, clock.instant().plus(LIFETIME));
        return new FinishedLogIn(null, waiting.text(), next);
    }

    /**
     * The identity that waits in a browser for an account.
     *
     * @param name by which the person recognises it
     * @param nickname proposed for a new account
     */
    public record WaitingIdentity(String provider, String name, String nickname, String next) {}

    /** The identity that waits in a browser; 403 if none does, or not any more. */
    public WaitingIdentity waiting(String waiting) {
        var pending = pending(waiting);
        return new WaitingIdentity(
                provider(pending.provider()).name(),
                pending.identity().name(),
                pending.identity().nickname(),
                pending.next());
    }

    /**
     * Links the identity that waits in a browser to the account of the caller, who can sign in with it from then on.
     *
     * @param password of the caller; empty if their session was confirmed lately
     */
    public void link(Caller caller, String waiting, String password) {
        caller.requireNotActing();
        caller.requireSession();
        var pending = pending(waiting);
        var confirmation = sessions.confirm(caller, password);
        db.useTransaction(tx -> {
            confirmation.require(tx);
            link(tx, waiting, caller.user(), pending);
            var provider = provider(pending.provider()).name();
            notifyOwner(tx, caller.user(), true, provider, pending.identity().name());
        });
    }

    /** Creates the account of the person whose identity waits in a browser, without a password, and signs them in. */
    public StartedSession signUp(ClientInfo client, String waiting, Nickname nickname, SignUp.Preferences preferences) {
        var pending = pending(waiting);
        var provider = provider(pending.provider());
        var email = pending.identity().email().orElseThrow(() -> AccountsProblem.oidcUnverified(provider.name()));
        requireSignUp(provider, email, pending.invitation());
        notice.require(preferences);
        return db.inTransaction(tx -> {
            var user = users.create(tx, email, nickname, PasswordHash.NONE, false);
            var invitation = pending.invitation();
            if (invitation != null) {
                invitations.redeem(tx, invitation, email, user);
            }
            users.setPreferences(tx, user, preferences);
            notice.record(tx, user);
            audit.record(tx, user, AuditLog.Action.SIGNED_UP, user);
            link(tx, waiting, user, pending);
            return sessions.logInByProvider(tx, client, user);
        });
    }

    private void link(Tx tx, String waiting, UserId user, PendingIdentity pending) {
        if (!store.deletePending(tx, secret(waiting))) {
            throw AccountsProblem.oidcExpired();
        }
        followRole(tx, user, pending.identity());
        if (!store.insert(tx, platform.ids().next(), user, pending.identity(), clock.instant())) {
            throw AccountsProblem.identityTaken();
        }
        audit.record(tx, user, AuditLog.Action.IDENTITY_LINKED, user);
    }

    /** An identity that is linked to an account. */
    public record LinkedIdentity(long id, String issuer, String name, Instant lastUsedAt) {}

    /** The identities that are linked to the caller's account. */
    public List<LinkedIdentity> list(Caller caller) {
        return db.read(reads -> store.list(reads, caller.user()));
    }

    /** The name of the provider of an issuer; the issuer itself where it is not configured any more. */
    public String providerOf(String issuer) {
        return providers.values().stream()
                .filter(provider -> provider.config().issuer().equals(issuer))
                .map(OidcProvider::name)
                .findFirst()
                .orElse(issuer);
    }

    /** Whether the caller's account has a password. */
    public boolean hasPassword(Caller caller) {
        return db.read(reads -> store.hasPassword(reads, caller.user()));
    }

    /** Unlinks an identity from the caller's account; 409 if the account could not be signed in to without it. */
    public void unlink(Caller caller, long id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            if (accounts.lock(tx, caller.user()).isEmpty()) {
                throw AccountsProblem.userNotFound();
            }
            var linked = store.list(tx, caller.user());
            var identity = linked.stream()
                    .filter(each -> each.id() == id)
                    .findFirst()
                    .orElseThrow(AccountsProblem::identityNotFound);
            if (linked.size() == 1 && !store.hasPassword(tx, caller.user())) {
                throw AccountsProblem.identityLast();
            }
            store.delete(tx, caller.user(), id);
            audit.record(tx, caller, AuditLog.Action.IDENTITY_UNLINKED, AuditLog.Target.of(caller.user()));
            notifyOwner(tx, caller.user(), false, providerOf(identity.issuer()), identity.name());
        });
    }

    /** Deletes sign-ins that were not finished in time. */
    void sweep() {
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpiredAttempts(tx, clock.instant(), limit)));
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpiredPending(tx, clock.instant(), limit)));
    }

    private void notifyOwner(Tx tx, UserId user, boolean linked, String provider, String name) {
        var owner = users.find(tx, user).orElseThrow(AccountsProblem::userNotFound);
        var language = users.language(tx, user);
        var email = owner.user().email();
        var mail = linked
                ? VerificationMails.identityLinked(language, email, provider, name)
                : VerificationMails.identityUnlinked(language, email, provider, name);
        platform.mailer().sendWithoutFail(tx, mail);
    }

    private void followRole(Tx tx, UserId user, OidcIdentity identity) {
        var admin = identity.admin();
        if (admin != null) {
            users.followRole(tx, user, admin);
        }
    }

    private static void requireAllowed(OidcProvider provider, OidcIdentity identity) {
        var domains = provider.config().allowedDomains();
        if (!domains.isEmpty()
                && identity.email().filter(email -> email.isOf(domains)).isEmpty()) {
            throw AccountsProblem.oidcDomain(String.join(", ", domains));
        }
    }

    private void requireSignUp(OidcProvider provider, Email email, Invitations.@Nullable InvitationId invitation) {
        if (provider.config().signUp() == ProviderSignUp.NEVER) {
            throw AccountsProblem.signUpClosed();
        }
        if (provider.config().signUp() == ProviderSignUp.MODE && invitation == null) {
            rules.require(email);
        }
    }

    private PendingIdentity pending(String waiting) {
        return db.read(reads -> store.findPending(reads, secret(waiting), clock.instant()))
                .orElseThrow(AccountsProblem::oidcExpired);
    }

    private static BearerSecret secret(String cookie) {
        var secret = new BearerSecret(cookie);
        if (!secret.isWellFormed(BearerSecret.OIDC)) {
            throw AccountsProblem.oidcExpired();
        }
        return secret;
    }

    private OidcProvider provider(String id) {
        return Optional.ofNullable(providers.get(id)).orElseThrow(AccountsProblem::oidcUnknown);
    }
}
