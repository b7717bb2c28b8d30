package io.hiroba.bench.chaos;

import io.hiroba.bench.chaos.CardComparison.Difference;
import io.hiroba.bench.chaos.agents.AgentsChaos;
import io.hiroba.bench.chaos.everything.EverythingChaos;
import io.hiroba.bench.chaos.knowledge.KnowledgeChaos;
import io.hiroba.bench.chaos.saga.SagaChaos;
import io.hiroba.platform.task.CarrierWatch;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ./hiroba chaos}: injects faults into servers and checks that nothing is lost or duplicated. */
@Command(
        name = "./hiroba chaos",
        description = "Injects faults into servers and checks the result.",
        mixinStandardHelpOptions = true)
public final class Chaos {

    private static final int INTERRUPTED = 130;
    private static final int SHOWN = 10;
    private static final int MAX_MINUTES = 7 * 24 * 60;

    private Chaos() {}

    public static void main(String[] args) {
        CarrierWatch.start();
        var chaos = new CommandLine(new Chaos());
        System.exit(args.length == 0 ? chaos.execute("--help") : chaos.execute(args));
    }

    @Command(
            name = "activity",
            description = {
                "Two servers over one database, while users follow, like, reply, post, block, undo and delete accounts.",
                "Servers are killed (kill -9) and frozen and their database connections terminated at random. Then every"
                        + " activity card is computed from the source tables and compared, to the byte.",
                "Exit code 0: all cards are correct. 1: some are not; they are printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int activity(@Mixin RunOptions options) {
        var settings = ChaosSettings.of(options.duration(), options.seed());
        return untilStopped(
                () -> new ActivityChaos(settings, Chaos::print), chaos -> report(chaos, chaos.run(), settings.seed()));
    }

    @Command(
            name = "saga",
            description = {
                "Two nodes of the saga orchestrator over one database, and a service that fails, hangs, answers late or"
                        + " twice and drops connections, while sagas are started by clients and schedules, cancelled,"
                        + " compensated, signalled and approved.",
                "Nodes are killed (kill -9), frozen and crashed at every critical point, and their database connections"
                        + " terminated. Then every saga must be terminal, with exactly the effects that it reports, every approval be"
                        + " decided once, every due time started once, and no service have had more calls than its limit.",
                "Exit code 0: all sagas are correct. 1: some are not; they are printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int saga(@Mixin RunOptions options) {
        var duration = options.duration();
        long seed = options.seed();
        return untilStopped(() -> new SagaChaos(duration, seed, Chaos::print), SagaChaos::runAndReport);
    }

    @Command(
            name = "knowledge",
            description = {
                "Two servers over one database, and an embedding service that fails, hangs, limits, answers late or wrongly"
                        + " and has outages, while users change sources and write messages in sessions, which are archived.",
                "Servers are killed (kill -9) and frozen and their database connections terminated at random. Then every"
                        + " chunk must have the vector of its text or be a dead letter after its retries, and every"
                        + " acknowledged message be at its index and archived once.",
                "Exit code 0: everything is correct. 1: something is not; it is printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int knowledge(@Mixin RunOptions options) {
        var duration = options.duration();
        long seed = options.seed();
        return untilStopped(() -> new KnowledgeChaos(duration, seed, Chaos::print), KnowledgeChaos::runAndReport);
    }

    @Command(
            name = "agents",
            description = {
                "Two servers over one database, and a chat model that fails, hangs, limits, refuses, breaks off, talks nonsense and asks for"
                        + " tools, while users mention agents, reply to them, and stop runs.",
                "Servers are killed (kill -9) and frozen, their database connections terminated and claims ended at random. Then every"
                        + " question must have one answer or a reason, be remembered by who asked it alone, and no budget be exceeded at any"
                        + " time, by what was reserved or charged.",
                "Exit code 0: everything is correct. 1: something is not; it is printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int agents(@Mixin RunOptions options) {
        var duration = options.duration();
        long seed = options.seed();
        return untilStopped(() -> new AgentsChaos(duration, seed, Chaos::print), AgentsChaos::runAndReport);
    }

    @Command(
            name = "everything",
            description = {
                "Two servers over one database, while clients write posts, records, sagas, inbox items, sources and questions to an"
                        + " agent, and repeat each request with its key until it is acknowledged.",
                "Servers are killed (kill -9) and frozen, their database connections terminated, and the database itself crashes and"
                        + " recovers, at random. Then everything that was acknowledged must be listed by the API, and be there once.",
                "Exit code 0: everything is correct. 1: something is not; it is printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int everything(@Mixin RunOptions options) {
        var duration = options.duration();
        long seed = options.seed();
        return untilStopped(() -> new EverythingChaos(duration, seed, Chaos::print), EverythingChaos::runAndReport);
    }

    /** The options of every run. */
    static final class RunOptions {

        @Spec(Spec.Target.MIXEE)
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Option(
                names = "--minutes",
                defaultValue = "2",
                description = "The duration (default: 2; 0.5 is half a minute).")
        private double minutes;

        @Option(names = "--seed", description = "The random seed; by default a new one, which is printed.")
        private @Nullable Long seed;

        Duration duration() {
            if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
                throw new ParameterException(spec.commandLine(), "--minutes must be more than 0, and a week at most");
            }
            return Duration.ofMillis((long) (minutes * 60_000));
        }

        long seed() {
            return seed == null ? new Random().nextLong() : seed;
        }
    }

    private static <R extends ChaosRun> int untilStopped(Supplier<R> run, ToIntFunction<R> report) {
        var stopped = new AtomicBoolean();
        // Registered before the run is built, so that a failure caused by the shutdown is not reported as a failed run.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopped.set(true)));
        try (var chaos = run.get()) {
            Runtime.getRuntime().addShutdownHook(new Thread(chaos::close));
            return report.applyAsInt(chaos);
        } catch (RuntimeException e) {
            if (stopped.get()) {
                return INTERRUPTED;
            }
            throw e;
        }
    }

    static void print(String line) {
        System.out.println(line);
    }

    private static int report(ActivityChaos chaos, CardComparison comparison, long seed) {
        System.out.println(chaos.counters());
        if (comparison.differences().isEmpty()) {
            System.out.printf(
                    "All %,d cards are exactly what the source tables say; %,d of them have more than %d acts. Seed %d.%n",
                    comparison.cards(), comparison.large(), ExpectedCards.MAX_SHOWN, seed);
            return 0;
        }
        System.out.printf(
                "%,d of %,d cards are not what the source tables say. Seed %d.%n",
                comparison.differences().size(), comparison.cards(), seed);
        comparison.differences().stream().limit(SHOWN).forEach(difference -> print(chaos, difference));
        return 1;
    }

    private static void print(ActivityChaos chaos, Difference difference) {
        System.out.print(difference);
        try (var handle = chaos.database().open()) {
            CardEventTrace.of(handle, difference.card()).forEach(event -> System.out.println("      " + event));
        }
    }
}
