package io.hiroba.demo;

import io.hiroba.accounts.AiModel;
import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordHash;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.id.WorkerLease;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;

/** Creates the demo community, once; an interrupted run continues where it stopped. */
public final class Demo implements AutoCloseable {

    private static final Duration LEASE_TERM = Duration.ofSeconds(30);
    private static final int MAX_MODELS = 1000;

    /** The model that answers without any key. */
    private static final String BUILT_IN = "librarian";

    private final Db db;
    private final Db leases;
    private final InstantSource clock;
    private final EventLog events;
    private final Users users;
    private final Credentials credentials;
    private final AiModels models;
    private final DemoStore store = new DemoStore();
    private final Semaphore running = new Semaphore(1);
    private volatile boolean closed;
    private BiConsumer<Caller, UserId> agents = (admin, account) -> {};
    private final List<Supplier<Map<String, ToLongBiFunction<Tx, Caller>>>> possessions = new ArrayList<>();

    public Demo(Platform platform, Users users, Credentials credentials, AiModels models) {
        this(platform.db(), platform.leases(), platform.clock(), platform.events(), users, credentials, models);
    }

    /** @param leases connections of their own, as {@link WorkerLease} needs them */
    Demo(
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

    /** Lets the accounts of the built-in model answer from then on; called before it is filled. */
    public Demo answering(BiConsumer<Caller, UserId> agentMaker) {
        agents = agentMaker;
        return this;
    }

    /**
     * Gives the admin projects, sagas and sources too, each once by its name; called before it is filled.
     *
     * @param makers are asked for then; each creates one in a transaction and answer a number of it
     */
    public Demo keeping(Supplier<Map<String, ToLongBiFunction<Tx, Caller>>> makers) {
        possessions.add(makers);
        return this;
    }

    /** The result of a run. */
    public enum Result {
        FILLED,
        ALREADY_FULL,
        /** Closed before the end; the next run continues from there. */
        INTERRUPTED
    }

    /** Takes the number of acts that are done. */
    @FunctionalInterface
    public interface Progress {
        void done(int acts, int all);
    }

    /** Creates the community or the rest of it; {@code admin} is the admin who will look at it. */
    public Result fill(Email admin, Progress progress) {
        running.acquireUninterruptibly();
        try {
            return closed ? Result.INTERRUPTED : fillRest(admin, progress);
        } finally {
            running.release();
        }
    }

    private Result fillRest(Email adminEmail, Progress progress) {
        var begun = db.inTransaction(tx -> store.begin(tx, clock.instant()));
        if (begun.finished()) {
            return Result.ALREADY_FULL;
        }
        var admin = db.read(reads -> users.findByEmail(reads, adminEmail)).orElseThrow();
        var people = DemoPeople.read();
        saveModels(people, new Caller(admin, true, new Caller.ByServer(), null));
        var acts = DemoTimeline.of(people, begun.began());
        var past = new PastClock(acts.getFirst().at());
        // A lease of a worker number that issued nothing since the timeline began: its ids of the past are unused, and
        // nobody
        // else can issue them. Where every number was in use since, the posts get later times, never duplicate ids.
        try (var lease = new WorkerLease(leases, past, LEASE_TERM)) {
            var replay = new DemoReplay(db, past, lease.ids(), events, unknownPassword(), admin);
            for (int i = begun.done(); i < acts.size(); i++) {
                if (closed) {
                    return Result.INTERRUPTED;
                }
                replay.perform(i, acts.get(i));
                progress.done(i + 1, acts.size());
            }
        }
        wakeAgents(people, Caller.server(admin));
        var makers = new TreeMap<String, ToLongBiFunction<Tx, Caller>>();
        possessions.forEach(each -> makers.putAll(each.get()));
        makers.forEach((name, maker) -> keep(name, maker, Caller.server(admin), acts.size()));
        db.useTransaction(tx -> store.finish(tx, acts.size(), clock.instant()));
        return Result.FILLED;
    }

    /** In one transaction with the record that it was: an earlier run or another node may have made it. */
    private void keep(String name, ToLongBiFunction<Tx, Caller> maker, Caller admin, int done) {
        db.useTransaction(tx -> {
            store.lock(tx);
            if (store.made(tx, name).isEmpty()) {
                store.made(tx, name, maker.applyAsLong(tx, admin), done);
            }
        });
    }

    private void wakeAgents(DemoPeople people, Caller admin) {
        people.people().stream()
                .filter(person -> BUILT_IN.equals(person.model()))
                .flatMap(person -> db.read(reads -> store.made(reads, person.name())).stream())
                .forEach(id -> agents.accept(admin, new UserId(id)));
    }

    private void saveModels(DemoPeople people, Caller admin) {
        var known = models.list("", MAX_MODELS).stream().map(AiModel::name).collect(Collectors.toSet());
        people.models().stream()
                .filter(model -> !known.contains(model.name()))
                .forEach(model -> models.save(admin, model));
    }

    /** A random password for all accounts that is not stored: only an admin can act as them. */
    private PasswordHash unknownPassword() {
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return credentials.hash(new Password(HexFormat.of().formatHex(bytes)));
    }

    /** Waits for the current act and starts no other. */
    @Override
    public void close() {
        closed = true;
        running.acquireUninterruptibly();
        running.release();
    }
}
