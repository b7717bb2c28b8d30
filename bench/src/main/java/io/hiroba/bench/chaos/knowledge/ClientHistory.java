package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosUser;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The acknowledged requests of all clients. */
final class ClientHistory {

    /** Clients mostly write in the newest sessions, and so concurrently with others. */
    private static final int ACTIVE_SESSIONS = 5;

    private final List<ChaosUser> users;
    private final AtomicLong last = new AtomicLong();
    private final Map<Long, ExpectedSource> expectedSources = new ConcurrentHashMap<>();
    private final List<ExpectedSession> sessions = new ArrayList<>();

    ClientHistory(List<ChaosUser> users) {
        this.users = List.copyOf(users);
    }

    List<ChaosUser> users() {
        return users;
    }

    ChaosUser anyUser(SplittableRandom random) {
        return users.get(random.nextInt(users.size()));
    }

    /** A unique number for texts and keys. */
    long nextNumber() {
        return last.incrementAndGet();
    }

    void keep(ExpectedSource expected) {
        expectedSources.put(expected.id(), expected);
    }

    /** The sources by id, including deleted ones. */
    Map<Long, ExpectedSource> expectedSources() {
        return expectedSources;
    }

    /** Chooses one of the newest sessions, an older one, or creates a session. */
    synchronized ExpectedSession anySession(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (sessions.size() < ACTIVE_SESSIONS || dice < 8) {
            sessions.add(new ExpectedSession(anyUser(random), "thread:" + nextNumber()));
            return sessions.getLast();
        }
        int from = dice < 75 ? sessions.size() - ACTIVE_SESSIONS : 0;
        return sessions.get(random.nextInt(from, sessions.size()));
    }

    synchronized Collection<ExpectedSession> sessions() {
        return List.copyOf(sessions);
    }

    @Override
    public String toString() {
        return "%,d sources, %,d sessions"
                .formatted(expectedSources.size(), sessions().size());
    }
}
