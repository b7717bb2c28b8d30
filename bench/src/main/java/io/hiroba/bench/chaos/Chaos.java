package io.hiroba.bench.chaos;

import io.hiroba.bench.chaos.Comparison.Difference;
import io.hiroba.bench.chaos.knowledge.KnowledgeChaos;
import io.hiroba.bench.chaos.saga.SagaChaos;
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

/** {@code ./hiroba chaos activity|saga|knowledge}: breaks servers for a while and looks whether anything got lost or doubled. */
@Command(
        name = "./hiroba chaos",
        description = "Breaks servers on purpose, and looks what they made of it.",
        mixinStandardHelpOptions = true)
public final class Chaos {

    private static final int INTERRUPTED = 130;
    private static final int SHOWN = 10;
    private static final int MAX_MINUTES = 7 * 24 * 60;

    private Chaos() {}

    public static void main(String[] args) {
        var chaos = new CommandLine(new Chaos());
        System.exit(args.length == 0 ? chaos.execute("--help") : chaos.execute(args));
    }

    @Command(
            name = "activity",
            description = {
                "Two servers over one database, while people follow, like, reply, post, block, leave and take back.",
                "Servers are killed (kill -9) and frozen and their database connections ended at random. In the end every"
                        + " activity card is worked out from the source tables and compared, to the byte.",
                "Exit code 0: all cards are right. 1: some are not, and are printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int activity(@Mixin Choices choices) {
        var plan = Plan.of(choices.duration(), choices.seed());
        return untilStopped(
                () -> new ActivityChaos(plan, Chaos::say), chaos -> verdict(chaos, chaos.run(), plan.seed()));
    }

    @Command(
            name = "saga",
            description = {
                "Two nodes of the saga orchestrator over one database, and a service that fails, hangs, answers late or"
                        + " twice and breaks connections, while sagas are started, cancelled, undone and signalled.",
                "Nodes are killed (kill -9), frozen and ended at every point where it hurts, their database connections"
                        + " ended. In the end every saga must have ended, and have done or undone exactly what it says.",
                "Exit code 0: all is right. 1: some sagas are not, and are printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int saga(@Mixin Choices choices) {
        var duration = choices.duration();
        long seed = choices.seed();
        return untilStopped(() -> new SagaChaos(duration, seed, Chaos::say), SagaChaos::verdict);
    }

    @Command(
            name = "knowledge",
            description = {
                "Two servers over one database, and an embedding service that fails, hangs, limits, answers late, lies and"
                        + " goes away, while people add, change and delete sources and talk in sessions, which are archived.",
                "Servers are killed (kill -9) and frozen and their database connections ended at random. In the end every"
                        + " passage must have the vector of its text or be a dead letter after its retries, and every"
                        + " message stand where it was said and be archived once.",
                "Exit code 0: all is right. 1: something is not, and is printed. 3: the run itself failed."
            },
            exitCodeOnExecutionException = 3,
            mixinStandardHelpOptions = true)
    int knowledge(@Mixin Choices choices) {
        var duration = choices.duration();
        long seed = choices.seed();
        return untilStopped(() -> new KnowledgeChaos(duration, seed, Chaos::say), KnowledgeChaos::verdict);
    }

    /** The options of every run. */
    static final class Choices {

        @Spec(Spec.Target.MIXEE)
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Option(names = "--minutes", defaultValue = "2", description = "How long (default: 2; 0.5 is half a minute).")
        private double minutes;

        @Option(names = "--seed", description = "Of every choice; without one, a new one, which is printed.")
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

    private static <R extends Run> int untilStopped(Supplier<R> run, ToIntFunction<R> verdict) {
        var stopped = new AtomicBoolean();
        // Before there is anything to close: what then fails while it is built says nothing of the run.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopped.set(true)));
        try (var chaos = run.get()) {
            Runtime.getRuntime().addShutdownHook(new Thread(chaos::close));
            return verdict.applyAsInt(chaos);
        } catch (RuntimeException e) {
            if (stopped.get()) {
                return INTERRUPTED;
            }
            throw e;
        }
    }

    static void say(String line) {
        System.out.println(line);
    }

    private static int verdict(ActivityChaos chaos, Comparison comparison, long seed) {
        System.out.println(chaos.tally());
        if (comparison.differences().isEmpty()) {
            System.out.printf(
                    "All %,d cards are exactly what the source tables say; %,d of them have more than %d acts. Seed %d.%n",
                    comparison.cards(), comparison.large(), SourceCards.SHOWN, seed);
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
        try (var handle = chaos.ground().open()) {
            History.of(handle, difference.card()).forEach(event -> System.out.println("      " + event));
        }
    }
}
