package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facade of users' SSH keys. */
public final class SshKeys {

    private static final String NAMESPACE = "hiroba/keys";
    /** The page of the keys of a user. */
    private static final String PAGE = "/inbox/settings";

    private static final int MAX_KEYS = 100;
    private static final int MAX_TITLE_LENGTH = 255;
    private static final Duration MAX_LIFETIME = Duration.ofDays(36_525);

    private final Db db;
    private final InstantSource clock;
    private final Namespaces namespaces;
    private final ResourceMirror resources;
    private final ExternalPeople people;
    private final AutoResolver resolver;
    private final ItemListener listener;
    private final SshKeyStore store = new SshKeyStore();

    SshKeys(Db db, InstantSource clock, Fanout fanout) {
        this.db = db;
        this.clock = clock;
        namespaces = fanout.namespaces();
        resources = fanout.resources();
        people = fanout.people();
        resolver = fanout.resolver();
        listener = fanout.listener();
    }

    public List<SshKey> of(UserId owner) {
        return db.read(reads -> store.of(reads, owner));
    }

    /**
     * Adds a key.
     *
     * @param title null for the comment of the key
     */
    public SshKey add(Tx tx, Caller caller, SshPublicKey key, @Nullable String title, @Nullable Instant end) {
        caller.requireNotActing();
        var expiresAt = future(end);
        var owner = caller.user();
        store.lockAll(tx, owner);
        if (store.of(tx, owner).size() >= MAX_KEYS) {
            throw InboxProblem.tooManyKeys(MAX_KEYS);
        }
        var details = new ResourceDetails.SshKey(owner, key.text(), key.fingerprint(), expiresAt);
        var result = resources.upsert(
                tx, snapshot(tx, owner, key.fingerprint(), title(title == null ? key.comment() : title, key), details));
        if (result.before() != null) {
            throw InboxProblem.keyTaken();
        }
        return store.lock(tx, owner, result.resource().id()).orElseThrow();
    }

    /** Changes the title and expiry of a key. Notifications of its old expiry are withdrawn. */
    public SshKey update(Caller caller, ResourceId id, String title, @Nullable Instant end) {
        caller.requireNotActing();
        var expiresAt = future(end);
        var owner = caller.user();
        return db.inTransaction(tx -> {
            var key = store.lock(tx, owner, id).orElseThrow(InboxProblem::keyNotFound);
            var details = new ResourceDetails.SshKey(owner, key.publicKey(), key.fingerprint(), expiresAt);
            var resource = resources
                    .upsert(
                            tx,
                            snapshot(
                                    tx,
                                    owner,
                                    key.fingerprint(),
                                    title(title, SshPublicKey.parse(key.publicKey())),
                                    details))
                    .resource();
            if (expiresAt == null || !expiresAt.equals(key.expiresAt())) {
                store.setExpiry(tx, id, expiresAt);
                var person = List.of(people.local(tx, owner));
                for (var action : List.of(Action.SSH_KEY_EXPIRING_SOON, Action.SSH_KEY_EXPIRED)) {
                    resolver.withdraw(tx, resource, action, person, clock.instant());
                }
            }
            return store.lock(tx, owner, id).orElseThrow();
        });
    }

    /** Deletes a key and the items about it. */
    public void delete(Caller caller, ResourceId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var key = store.lock(tx, caller.user(), id).orElseThrow(InboxProblem::keyNotFound);
            resources.delete(tx, key.id());
            listener.changed(tx, List.of(caller.user()));
        });
    }

    private ResourceSnapshot snapshot(
            Tx tx, UserId owner, String fingerprint, String title, ResourceDetails.SshKey details) {
        return new ResourceSnapshot(
                ConnectionId.HIROBA,
                namespaces.at(tx, ConnectionId.HIROBA, NAMESPACE).id(),
                owner.hex() + ":" + fingerprint,
                title,
                PAGE,
                "active",
                clock.instant(),
                details);
    }

    private static String title(String wanted, SshPublicKey key) {
        var title = wanted.strip();
        if (title.length() > MAX_TITLE_LENGTH) {
            throw InboxProblem.invalid("title", Text.of("inbox.field.max-characters", "max", MAX_TITLE_LENGTH));
        }
        return title.isEmpty() ? key.fingerprint() : title;
    }

    /** Truncated to the precision of the database. */
    private @Nullable Instant future(@Nullable Instant end) {
        if (end == null) {
            return null;
        }
        var expiresAt = end.truncatedTo(ChronoUnit.MICROS);
        var now = clock.instant();
        if (!expiresAt.isAfter(now) || expiresAt.isAfter(now.plus(MAX_LIFETIME))) {
            throw InboxProblem.invalid("expiresAt", Text.of("inbox.field.expiry"));
        }
        return expiresAt;
    }
}
