package io.hiroba.inbox.keys;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The SSH keys of people. */
public final class SshKeys {

    private static final String NAMESPACE = "hiroba/keys";
    /** Where a person sees and renews their keys. */
    private static final String PAGE = "/inbox/settings";

    private static final int MOST = 100;
    private static final int LONGEST_TITLE = 255;
    private static final Duration FARTHEST = Duration.ofDays(36_525);

    private final Db db;
    private final InstantSource clock;
    private final Namespaces namespaces;
    private final Resources resources;
    private final People people;
    private final Resolver resolver;
    private final ItemListener listener;
    private final KeyStore store = new KeyStore();

    public SshKeys(
            Db db,
            InstantSource clock,
            Namespaces namespaces,
            Resources resources,
            People people,
            Resolver resolver,
            ItemListener listener) {
        this.db = db;
        this.clock = clock;
        this.namespaces = namespaces;
        this.resources = resources;
        this.people = people;
        this.resolver = resolver;
        this.listener = listener;
    }

    public List<SshKey> of(UserId owner) {
        return db.read(reads -> store.of(reads, owner));
    }

    /**
     * Adds a key.
     *
     * @param title none for what the key says of itself
     */
    public SshKey add(Tx tx, Caller caller, PublicKey key, @Nullable String title, @Nullable Instant end) {
        caller.requireNotActing();
        var expiresAt = future(end);
        var owner = caller.user();
        store.lockAll(tx, owner);
        if (store.of(tx, owner).size() >= MOST) {
            throw InboxProblem.tooManyKeys(MOST);
        }
        var details = new Details.SshKey(owner, key.text(), key.fingerprint(), expiresAt);
        var mirrored = resources.mirror(
                tx, told(tx, owner, key.fingerprint(), title(title == null ? key.comment() : title, key), details));
        if (mirrored.before() != null) {
            throw InboxProblem.keyTaken();
        }
        return store.lock(tx, owner, mirrored.resource().id()).orElseThrow();
    }

    /** Gives a key another title and another end. What was said of the end that it had is moot. */
    public SshKey change(Caller caller, ResourceId id, String title, @Nullable Instant end) {
        caller.requireNotActing();
        var expiresAt = future(end);
        var owner = caller.user();
        return db.inTransaction(tx -> {
            var key = store.lock(tx, owner, id).orElseThrow(InboxProblem::keyNotFound);
            var details = new Details.SshKey(owner, key.publicKey(), key.fingerprint(), expiresAt);
            var resource = resources
                    .mirror(
                            tx,
                            told(tx, owner, key.fingerprint(), title(title, PublicKey.parse(key.publicKey())), details))
                    .resource();
            if (expiresAt == null || !expiresAt.equals(key.expiresAt())) {
                store.renew(tx, id, expiresAt);
                var here = List.of(people.here(tx, owner));
                for (var action : List.of(Action.SSH_KEY_EXPIRING_SOON, Action.SSH_KEY_EXPIRED)) {
                    resolver.withdraw(tx, resource, action, here, clock.instant());
                }
            }
            return store.lock(tx, owner, id).orElseThrow();
        });
    }

    /** Deletes a key with what was said of it. */
    public void delete(Caller caller, ResourceId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var key = store.lock(tx, caller.user(), id).orElseThrow(InboxProblem::keyNotFound);
            resources.delete(tx, key.id());
            listener.changed(tx, List.of(caller.user()));
        });
    }

    private Told told(Tx tx, UserId owner, String fingerprint, String title, Details.SshKey details) {
        return new Told(
                ConnectionId.HIROBA,
                namespaces.at(tx, ConnectionId.HIROBA, NAMESPACE).id(),
                owner.hex() + ":" + fingerprint,
                title,
                PAGE,
                "active",
                clock.instant(),
                details);
    }

    private static String title(String wanted, PublicKey key) {
        var title = wanted.strip();
        if (title.length() > LONGEST_TITLE) {
            throw InboxProblem.invalid("title", "must have at most %d characters".formatted(LONGEST_TITLE));
        }
        return title.isEmpty() ? key.fingerprint() : title;
    }

    /** As the database keeps it, which knows nothing below microseconds. */
    private @Nullable Instant future(@Nullable Instant end) {
        if (end == null) {
            return null;
        }
        var expiresAt = end.truncatedTo(ChronoUnit.MICROS);
        var now = clock.instant();
        if (!expiresAt.isAfter(now) || expiresAt.isAfter(now.plus(FARTHEST))) {
            throw InboxProblem.invalid("expiresAt", "must be a time to come, within a hundred years");
        }
        return expiresAt;
    }
}
