package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Countdown;
import io.hiroba.bench.chaos.Crowd;
import io.hiroba.bench.chaos.Ground;
import io.hiroba.bench.chaos.Havoc;
import io.hiroba.bench.chaos.Node;
import io.hiroba.bench.chaos.Person;
import io.hiroba.bench.chaos.Run;
import io.hiroba.bench.chaos.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * Two servers over one database, a service that fails to make their vectors in every way, people who add sources and talk,
 * and havoc; in the end every chunk and every message is held against what people were told.
 */
public final class KnowledgeChaos implements Run {

    private static final int SERVERS = 2;
    private static final int PEOPLE = 8;
    private static final int LIBRARIANS = 3;
    private static final int SPEAKERS = 3;
    private static final int SHOWN = 10;

    /** Longer than a lease, which is three times what a call may take. */
    private static final Duration MAX_FREEZE = Duration.ofSeconds(7);

    /** How long everything may take to come to its end once all is well again. */
    private static final Duration SETTLING = Duration.ofMinutes(2);

    private static final Duration LOOK_EVERY = Duration.ofMillis(300);

    private final Duration duration;
    private final long seed;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final Tally tally = new Tally();
    private final Calls calls = new Calls();
    private final Service service;
    private final Ground ground = Ground.create();
    private final List<Node> nodes;

    public KnowledgeChaos(Duration duration, long seed, Consumer<String> out) {
        this.duration = duration;
        this.seed = seed;
        this.out = out;
        this.random = new SplittableRandom(seed);
        this.service = new Service(random.nextLong(), calls);
        this.nodes = IntStream.rangeClosed(1, SERVERS)
                .mapToObj(n -> Node.server(ground, "node" + n, settings()))
                .toList();
    }

    /** So short that everything happens within a minute. */
    private String[] settings() {
        return new String[] {
            "--knowledge.embedding.provider=openai",
            "--knowledge.embedding.base-url=" + service.url(),
            "--knowledge.embedding.model=chaos",
            "--knowledge.embedding.dimensions=" + Vectors.DIMENSIONS,
            "--knowledge.embedding.batch=20",
            "--knowledge.embedding.concurrency=3",
            "--knowledge.embedding.timeout=" + Service.CLIENT_TIMEOUT.toMillis() + "ms",
            "--knowledge.embedding.first-retry=300ms",
            "--knowledge.embedding.second-retry=600ms",
            "--knowledge.embedding.third-retry=1s",
            "--knowledge.embedding.max-retry=" + ChunkTrial.MAX_RETRY,
            "--knowledge.archive.idle=1500ms",
            "--knowledge.archive.every=500ms"
        };
    }

    /** Runs and says what became of it: 0 where all is right. */
    public int verdict() {
        var findings = run();
        out.accept(tally());
        out.accept(findings.counts().toString());
        findings.differences().stream().limit(SHOWN).forEach(difference -> out.accept(difference.toString()));
        out.accept(
                findings.differences().isEmpty()
                        ? "Every passage and every message is what people were told. Seed %d.".formatted(seed)
                        : "%,d sources and sessions are not what people were told. Seed %d."
                                .formatted(findings.differences().size(), seed));
        return findings.differences().isEmpty() ? 0 : 1;
    }

    Findings run() {
        out.accept("seed " + seed);
        nodes.forEach(Node::start);
        Havoc.awaitAll(nodes);
        var memory = new Memory(people());
        rage(memory);
        out.accept("· the havoc is over; waiting for what is left to come to its end");
        service.calm();
        settle();
        var requests = new Requests(nodes, new Tally(), random.split());
        var shown = new Reader(requests).read(memory);
        try (var handle = ground.open()) {
            return Findings.of(new Evidence(memory, Tables.read(handle), shown, calls));
        }
    }

    private List<Person> people() {
        try (var handle = ground.open()) {
            return handle.inTransaction(this::people);
        }
    }

    private List<Person> people(Handle tx) {
        var people = Person.make(tx, PEOPLE, Instant.now(), random.split());
        // Admins may hand in as much as they like.
        people.forEach(person -> tx.execute("UPDATE accounts.users SET is_admin = true WHERE id = ?", person.id()));
        return people;
    }

    @SuppressWarnings("try") // all do their work by being open
    private void rage(Memory memory) {
        var share = duration.dividedBy(8);
        var freeze = share.compareTo(MAX_FREEZE) < 0 ? share : MAX_FREEZE;
        try (var havoc = new Havoc(ground, nodes, tally, random.split(), freeze);
                var librarians =
                        new Crowd(LIBRARIANS, over -> new Librarian(requests(), memory, random.split(), over));
                var speakers = new Crowd(SPEAKERS, over -> new Speaker(requests(), memory, random.split(), over))) {
            Countdown.tell(duration, out, () -> tally() + "; " + memory);
        }
    }

    private Requests requests() {
        return new Requests(nodes, tally, random.split());
    }

    /** What is left then is left for good: the findings tell of it. */
    private void settle() {
        var begun = ground.now();
        long end = System.nanoTime() + SETTLING.toNanos();
        boolean isSettled = false;
        while (!isSettled && System.nanoTime() < end) {
            Havoc.awaitAll(nodes);
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            try (var handle = ground.open()) {
                isSettled = !ground.isAtWorkSince(begun) && Tables.areSettled(handle);
            }
        }
    }

    /** The counts of a run so far. */
    String tally() {
        return tally + "; " + calls;
    }

    Tally counts() {
        return tally;
    }

    /** Kills the servers and removes the database; from another thread, it ends the run. */
    @Override
    public void close() {
        try {
            nodes.forEach(Node::close);
        } finally {
            service.close();
            ground.close();
        }
    }
}
