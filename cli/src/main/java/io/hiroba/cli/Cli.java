package io.hiroba.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.OptionSpec;

/** One run of the client: the words become a command, its outcome an exit code. */
final class Cli {

    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int UNREACHABLE = 3;
    static final int SAGA_FAILED = 4;
    static final int SAGA_CANCELLED = 5;
    static final int SAGA_STUCK = 6;

    private Cli() {}

    static int run(Surroundings around, String... words) {
        var line = new CommandLine(new Hiroba(), new Factory(around));
        line.addSubcommand(new HelpCommand());
        line.setOut(around.out());
        line.setErr(around.err());
        line.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
        line.setUsageHelpWidth(100);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        offerHelp(line);
        line.setExecutionExceptionHandler((problem, command, parsed) -> report(around, problem, words));
        int code = line.execute(words);
        around.out().flush();
        around.err().flush();
        return code;
    }

    /** Gives every command {@code -h} and {@code --help}, so that none has to ask for it. */
    private static void offerHelp(CommandLine line) {
        if (!(line.getCommand() instanceof HelpCommand)) {
            line.getCommandSpec()
                    .addOption(OptionSpec.builder("-h", "--help")
                            .usageHelp(true)
                            .description("Show this help.")
                            .build());
            line.getSubcommands().values().forEach(Cli::offerHelp);
        }
    }

    private static int report(Surroundings around, Exception problem, String[] words) {
        var failure = problem instanceof Failure known ? known : Failure.unexpected(problem);
        boolean json = Arrays.asList(words).contains("--json");
        around.err().println(json ? failure.json() : Text.printable(failure.sentence()));
        return failure.exitCode();
    }

    /** Makes commands with the surroundings they run in, and picocli's own objects as it likes. */
    private record Factory(Surroundings around) implements IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {Surroundings.class})) {
                    try {
                        return type.cast(constructor.newInstance(around));
                    } catch (InvocationTargetException e) {
                        throw new IllegalStateException(e.getCause());
                    }
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
