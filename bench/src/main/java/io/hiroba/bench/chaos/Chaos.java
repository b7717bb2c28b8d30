package io.hiroba.bench.chaos;

import io.hiroba.bench.chaos.Comparison.Difference;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hiroba chaos activity}: breaks servers for a while and looks whether anything got lost or doubled. */
@Command(
        name = "./hiroba chaos",
        description = "Breaks servers on purpose, and looks what they made of it.",
        mixinStandardHelpOptions = true)
public final class Chaos {

    private static final int INTERRUPTED = 130;
    private static final int SHOWN = 10;
    private static final int MOST_MINUTES = 7 * 24 * 60;

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
    int activity(
            @Option(
                            names = "--minutes",
                            defaultValue = "2",
                            description = "How long (default: 2; 0.5 is half a minute).")
                    double minutes,
            @Option(names = "--seed", description = "Of every choice; without one, a new one, which is printed.")
                    @Nullable
                    Long seed) {
        if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
            System.err.println("--minutes must be more than 0, and a week at most");
            return 2;
        }
        var duration = Duration.ofMillis((long) (minutes * 60_000));
        var plan = Plan.of(duration, seed == null ? new Random().nextLong() : seed);
        var stopped = new AtomicBoolean();
        try (var chaos = new ActivityChaos(plan, Chaos::say)) {
            Runtime.getRuntime().addShutdownHook(stopping(chaos, stopped));
            return verdict(chaos, chaos.run(), plan.seed());
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

    /** What is done when whoever started the run stops it. */
    private static Thread stopping(ActivityChaos chaos, AtomicBoolean stopped) {
        return new Thread(() -> {
            stopped.set(true);
            chaos.close();
        });
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
