package io.hiroba.demo;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordHash;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.ai.AiModel;
import io.hiroba.accounts.ai.AiModels;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.id.WorkerLease;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/** Fills the community, once. */
public final class Demo implements AutoCloseable {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int MODELS = 1000;

    private final Db db;
    private final Db leases;
    private final InstantSource clock;
    private final EventLog events;
    private final Users users;
    private final Credentials credentials;
    private final AiModels models;
    private final DemoStore store = new DemoStore();
    private final Semaphore turn = new Semaphore(1);
    private volatile boolean closed;

    /** @param leases connections of their own, as {@link WorkerLease} wants them */
    public Demo(
            Db db,
            Db leases,
            InstantSource clock,
            EventLog events,
            Users users,
            Credentials credentials,
            AiModels models) {
        this.db = db;
        this.leases = leases;
        this.clock = clock;
        this.events = events;
        this.users = users;
        this.credentials = credentials;
        this.models = models;
    }

    /** What came of a filling. */
    public enum Outcome {
        FILLED,
        ALREADY_FULL,
        /** Closed on the way; the next filling goes on from there. */
        INTERRUPTED
    }

    /** Is told how many of all acts are done. */
    @FunctionalInterface
    public interface Progress {
        void done(int acts, int all);
    }

    /** Fills the community or the rest of it, unless it is full. {@code looking} is the admin who will look at it. */
    public Outcome fill(Email looking, Progress progress) {
        turn.acquireUninterruptibly();
        try {
            return closed ? Outcome.INTERRUPTED : fillRest(looking, progress);
        } finally {
            turn.release();
        }
    }

    private Outcome fillRest(Email looking, Progress progress) {
        var begun = db.inTransaction(tx -> store.begin(tx, clock.instant()));
        if (begun.finished()) {
            return Outcome.ALREADY_FULL;
        }
        var admin = db.read(reads -> users.findByEmail(reads, looking)).orElseThrow();
        var cast = Cast.read();
        saveModels(cast, new Caller(admin, true, new Caller.ByServer(), null));
        var acts = Story.of(cast, begun.began());
        var past = new PastClock(acts.getFirst().at());
        // A lease on a number that issued nothing after the story began: its ids of the past are free, and nobody
        // else can draw them. Where every number was in use since, the posts come out younger, never doubled.
        try (var lease = new WorkerLease(leases, past, LEASE)) {
            var stage = new Stage(db, past, lease.ids(), events, unknownPassword(), admin);
            for (int i = begun.done(); i < acts.size(); i++) {
                if (closed) {
                    return Outcome.INTERRUPTED;
                }
                stage.perform(i, acts.get(i));
                progress.done(i + 1, acts.size());
            }
        }
        db.useTransaction(tx -> store.finish(tx, acts.size(), clock.instant()));
        return Outcome.FILLED;
    }

    private void saveModels(Cast cast, Caller admin) {
        var known = models.list("", MODELS).stream().map(AiModel::name).collect(Collectors.toSet());
        cast.models().stream()
                .filter(model -> !known.contains(model.name()))
                .forEach(model -> models.save(admin, model));
    }

    /** One for all accounts, as long as a key and forgotten at once: there is no way in but an admin's. */
    private PasswordHash unknownPassword() {
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return credentials.hash(new Password(HexFormat.of().formatHex(bytes)));
    }

    /** Lets the act under way finish and no other begin; returns when nothing needs the database any more. */
    @Override
    public void close() {
        closed = true;
        turn.acquireUninterruptibly();
        turn.release();
    }
}
