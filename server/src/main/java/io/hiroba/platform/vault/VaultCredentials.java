package io.hiroba.platform.vault;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The role and password of a database as Vault has them, which change while the program runs: those of a role that Vault makes and
 * drops ({@code vault:database/creds/app}), of one whose password it changes ({@code vault:database/static-creds/app}), or a secret with
 * {@code username} and {@code password} ({@code vault:secret/database}).
 */
public final class VaultCredentials {

    private static final Logger log = LoggerFactory.getLogger(VaultCredentials.class);
    private static final String SCHEME = "vault:";
    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9_-]+)/([A-Za-z0-9_-]+(?:/[A-Za-z0-9_.-]+)*)");

    /** How often a secret that does not say when it changes is read again. */
    private static final Duration SECRET_INTERVAL = Duration.ofMinutes(1);

    /** How long a refused login is not the reason to ask Vault again. */
    private static final Duration REFUSAL_PAUSE = Duration.ofSeconds(1);

    /** A role with its password. */
    public record Login(String user, String password) {

        @Override
        public String toString() {
            return user;
        }
    }

    /** The end, by closing it, of what was asked for. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** A login with the time for which it is valid. */
    private record Held(Login login, VaultLease lease, Term term) {}

    /**
     * The state of credentials that are kept.
     *
     * @param left for how long they are valid at least; empty if they do not end
     * @param failingFor how long Vault has not answered as it should; empty if it did the last time
     */
    public record State(Optional<Duration> left, Optional<Duration> failingFor) {}

    private final String reference;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private @Nullable Vault vault;
    private volatile @Nullable Held held;
    private volatile @Nullable Login former;
    private volatile @Nullable Long failingSince;
    private long lastRefusal;

    private VaultCredentials(String reference) {
        this.reference = reference;
    }

    /**
     * Reads a reference to a login; an empty one means that there is none in Vault.
     *
     * @throws IllegalArgumentException whose message completes "the key …"
     */
    public static VaultCredentials parse(String text) {
        var reference = text.strip();
        if (!reference.isEmpty()
                && (!reference.startsWith(SCHEME)
                        || !FORM.matcher(reference.substring(SCHEME.length())).matches()
                        || reference.contains(".."))) {
            throw new IllegalArgumentException(
                    "is not like vault:database/creds/hiroba, vault:database/static-creds/hiroba or vault:secret/hiroba");
        }
        return new VaultCredentials(reference);
    }

    public boolean isConfigured() {
        return !reference.isEmpty();
    }

    /** Whether Vault makes the role, and drops it at the end. */
    public boolean isTemporary() {
        return reference.contains("/creds/");
    }

    private boolean isStatic() {
        return reference.contains("/static-creds/");
    }

    @Override
    public String toString() {
        return reference;
    }

    /** The login to connect with now; empty if it does not come from Vault. */
    public Optional<Login> login() {
        return Optional.ofNullable(held).map(Held::login);
    }

    /** The login before, of a secret or a role that lasts, which the database may still take; empty if there was none. */
    public Optional<Login> former() {
        return Optional.ofNullable(former);
    }

    /** Calls {@code listener} whenever the login has changed, until the answer is closed. It must not block. */
    public Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public State state() {
        var now = held;
        var since = failingSince;
        return new State(
                now == null || now.term().isEndless() || !isTemporary()
                        ? Optional.empty()
                        : Optional.of(now.term().left()),
                since == null ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - since)));
    }

    synchronized void open(Vault source) throws IOException {
        vault = source;
        source.keepToken();
        held = take(source);
    }

    private Held take(Vault source) throws IOException {
        var path = reference.substring(SCHEME.length());
        if (isTemporary()) {
            var lease = source.read(path);
            return new Held(login(lease.data()), lease, Term.of(lease.duration(), lease.isRenewable()));
        }
        if (isStatic()) {
            var answer = source.read(path);
            // The password is another one at the end of this time.
            var time = Duration.ofSeconds(answer.data().path("ttl").asLong(0));
            var term = Term.changingIn(time.plusMillis(500));
            return new Held(login(answer.data()), answer, term);
        }
        var answer = source.read(path.replaceFirst("/", "/data/"));
        return new Held(login(answer.data().path("data")), answer, Term.changingIn(SECRET_INTERVAL));
    }

    private Login login(JsonNode data) throws IOException {
        var user = data.path("username");
        var password = data.path("password");
        if (!user.isString() || !password.isString()) {
            throw new IOException(reference + " has no texts username and password");
        }
        return new Login(user.asString(), password.asString());
    }

    /** Renews what is due, or takes another login where renewing does not help any more. */
    void keep() {
        Login before;
        synchronized (this) {
            var source = vault;
            var now = held;
            if (source == null || now == null) {
                return;
            }
            before = now.login();
            try {
                source.keepToken();
                // While Vault fails, no more often than its term says.
                boolean isOpen = failingSince == null
                        || now.term().isEndless()
                        || now.term().isDue();
                if (isOpen && isTemporary() && !source.isOfToken(now.lease())) {
                    hold(take(source)); // the lease ends with the former token
                } else if (now.term().isDue()) {
                    hold(renewed(source, now));
                } else if (!now.term().isEndless()) {
                    return;
                }
                failingSince = null;
            } catch (IOException e) {
                failed(now, e);
            }
        }
        tellIfChanged(before);
    }

    /** The login before stays at hand where it may be valid still: somebody changes a secret and the role's password one after the other. */
    private void hold(Held next) {
        var before = held;
        if (before != null && !before.login().equals(next.login()) && !isTemporary()) {
            former = before.login();
        }
        held = next;
    }

    private Held renewed(Vault source, Held now) throws IOException {
        if (isTemporary() && now.term().isRenewable()) {
            try {
                var granted = source.renew(now.lease(), now.term().full()).duration();
                if (!now.term().isShort(granted)) {
                    return new Held(now.login(), now.lease(), now.term().renewed(granted));
                }
            } catch (VaultException e) {
                if (e.status() != VaultException.BAD_REQUEST && e.status() != VaultException.NOT_FOUND) {
                    throw e;
                }
                log.info("the lease of {} has ended: {}", reference, e.getMessage());
            }
        }
        return take(source);
    }

    private void failed(Held now, IOException e) {
        if (failingSince == null) {
            failingSince = System.nanoTime();
            log.warn("{} could not be renewed, which is tried again: {}", reference, e.getMessage());
        }
        if (now.equals(held)) {
            held = new Held(now.login(), now.lease(), now.term().retried());
        }
    }

    private void tellIfChanged(Login before) {
        var now = held;
        if (now != null && !now.login().equals(before)) {
            log.info("{} has another login", reference);
            listeners.forEach(Runnable::run);
        }
    }

    /** Asks Vault after the database has refused {@code login}; whether there is another one to try. */
    public boolean isReplaced(Login login) {
        if (!isConfigured()) {
            return false;
        }
        synchronized (this) {
            var source = vault;
            var now = held;
            if (source == null || now == null) {
                return false;
            }
            if (now.login().equals(login)) {
                if (lastRefusal != 0 && System.nanoTime() - lastRefusal < REFUSAL_PAUSE.toNanos()) {
                    return false;
                }
                try {
                    hold(take(source));
                    failingSince = null;
                } catch (IOException e) {
                    failed(now, e);
                } finally {
                    lastRefusal = System.nanoTime();
                }
            }
        }
        tellIfChanged(login);
        var now = held;
        return now != null && !now.login().equals(login);
    }

    synchronized void giveBack() {
        var source = vault;
        var now = held;
        vault = null;
        held = null;
        former = null;
        if (source != null && now != null && isTemporary() && !now.lease().id().isEmpty()) {
            try {
                source.revoke(now.lease());
            } catch (IOException e) {
                log.warn("{} could not be given back to Vault and ends by itself: {}", reference, e.getMessage());
            }
        }
    }
}
