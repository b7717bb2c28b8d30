package io.hiroba.inbox.people;

import io.hiroba.accounts.Users;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Db;
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
 * Looks after what waits for people who have no account here: after a while it is thrown away, and until then it is
 * looked up now and then whether they have come. That somebody who makes an account or changes their address is known
 * elsewhere, nobody tells; nor is what was put here while they were being linked seen by whoever linked them.
 */
public final class WaitingRoom {

    private static final Logger log = LoggerFactory.getLogger(WaitingRoom.class);
    private static final int AT_ONCE = 500;
    private static final Duration SWEEP = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final PersonId NOBODY = new PersonId(0);

    private final Db db;
    private final InstantSource clock;
    private final Users users;
    private final People people;
    private final Duration kept;
    private final WaitingRoomStore store = new WaitingRoomStore();

    /** The last person looked up on this node. */
    private volatile PersonId looked = NOBODY;

    public WaitingRoom(Db db, InstantSource clock, Users users, People people, Duration kept) {
        this.db = db;
        this.clock = clock;
        this.users = users;
        this.people = people;
        this.kept = kept;
    }

    public List<AutoCloseable> background() {
        return List.of(
                WorkLoop.every(SWEEP, "inbox waiting room", this::sweep),
                WorkLoop.every(LOOK, "inbox arrivals", this::look));
    }

    /** Throws away what has waited too long, in batches; answers how much. Two nodes share the work. */
    public int sweep() {
        int swept = 0;
        int some;
        do {
            some = db.inTransaction(tx -> store.expire(tx, clock.instant().minus(kept), AT_ONCE));
            swept += some;
        } while (some == AT_ONCE);
        return swept;
    }

    /** Looks up the next of those for whom something waits, and begins again after the last. */
    public void look() {
        var next = db.read(reads -> store.next(reads, looked, AT_ONCE));
        looked = next.size() < AT_ONCE ? NOBODY : next.getLast().id();
        var addresses = next.stream()
                .flatMap(waiter -> Stream.ofNullable(waiter.email()))
                .collect(Collectors.toUnmodifiableSet());
        var here = addresses.isEmpty()
                ? Set.<String>of()
                : db.read(reads -> users.findByEmails(reads, addresses)).keySet();
        next.stream()
                .filter(waiter -> waiter.known() || (waiter.email() != null && here.contains(waiter.email())))
                .forEach(waiter -> recognise(waiter.id()));
    }

    /** Nobody waits because something is wrong with another. */
    private void recognise(PersonId waiter) {
        try {
            db.useTransaction(tx -> people.recognise(tx, waiter));
        } catch (RuntimeException e) {
            log.warn("Could not look up {}, for whom something waits", waiter, e);
        }
    }
}
