package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Expires the pending items of people without an account, and polls for accounts that they have by now. Polling, because
 * no event says that a new account or e-mail address belongs to an external person, and items may be added while their
 * person is being linked.
 */
final class PendingItems {

    private static final Logger log = LoggerFactory.getLogger(PendingItems.class);
    private static final int BATCH_SIZE = 500;
    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);
    private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(20);
    private static final PersonId NOBODY = new PersonId(0);

    private final Db db;
    private final InstantSource clock;
    private final Users users;
    private final ExternalPeople people;
    private final Duration retention;
    private final PendingItemStore store = new PendingItemStore();

    /** The last person who was looked up on this node. */
    private volatile PersonId lastLookedUp = NOBODY;

    PendingItems(Db db, InstantSource clock, Users users, ExternalPeople people, Duration retention) {
        this.db = db;
        this.clock = clock;
        this.users = users;
        this.people = people;
        this.retention = retention;
    }

    List<AutoCloseable> start() {
        return List.of(
                WorkLoop.every(SWEEP_INTERVAL, "inbox pending items", this::sweep),
                WorkLoop.every(LOOKUP_INTERVAL, "inbox account lookup", this::lookUpAccounts));
    }

    /** Deletes pending items after their retention, in batches; nodes share the work. */
    int sweep() {
        var before = clock.instant().minus(retention);
        return RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> store.expire(tx, before, limit)));
    }

    /** Looks up the accounts of the next people with pending items, and begins again after the last. */
    void lookUpAccounts() {
        var next = db.read(reads -> store.nextPeople(reads, lastLookedUp, BATCH_SIZE));
        lastLookedUp = next.size() < BATCH_SIZE ? NOBODY : next.getLast().id();
        var addresses = next.stream()
                .flatMap(person -> Stream.ofNullable(person.email()))
                .collect(Collectors.toUnmodifiableSet());
        var accounts = addresses.isEmpty()
                ? Set.<String>of()
                : db.read(reads -> users.findByEmails(reads, addresses)).keySet();
        next.stream()
                .filter(person -> person.known() || (person.email() != null && accounts.contains(person.email())))
                .forEach(person -> link(person.id()));
    }

    /** Links one person; a failure does not affect the others. */
    private void link(PersonId person) {
        try {
            db.useTransaction(tx -> people.linkKnown(tx, person));
        } catch (RuntimeException e) {
            log.warn("Could not look up the account of person {}", person, e);
        }
    }
}
