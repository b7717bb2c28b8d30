package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Parses the arguments, runs the command and returns the exit code. */
final class Cli {

    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int UNREACHABLE = 3;
    static final int SAGA_FAILED = 4;
    static final int SAGA_CANCELLED = 5;
    static final int SAGA_STUCK = 6;

    private Cli() {}

    static int run(CliEnvironment environment, String... args) {
        return CliMessages.speaking(environment.language(), () -> execute(environment, args));
    }

    private static int execute(CliEnvironment environment, String... args) {
        var line = commands(environment);
        line.setExecutionExceptionHandler((problem, command, parsed) -> report(environment, problem, args));
        if (isForProgram(args)) {
            line.setParameterExceptionHandler((error, words) ->
                    report(environment, Failure.usage(UsageErrors.sentence(error, environment.language())), args));
        }
        int code = isText(args) ? line.execute(args) : report(environment, notText(), args);
        var lost = environment.out().failure();
        if (lost.isPresent()) {
            int failed =
                    report(environment, Failure.of(FAILED, "cli.output", text("failure.output", lost.get())), args);
            code = code == 0 ? failed : code;
        }
        environment.err().flush();
        return code;
    }

    private static boolean isForProgram(String[] args) {
        return Arrays.asList(args).contains("--json");
    }

    /** The JVM puts a replacement character where an argument is not UTF-8. */
    private static boolean isText(String[] args) {
        return Arrays.stream(args).noneMatch(each -> each.indexOf('\uFFFD') >= 0);
    }

    private static Failure notText() {
        return Failure.usage(text("input.not-utf8", text("input.argument")));
    }

    /** All commands, with their help in the language of the environment. */
    static CommandLine commands(CliEnvironment environment) {
        var line = new CommandLine(new Hiroba(), new Factory(environment));
        line.addSubcommand(new HelpCommand());
        line.setOut(environment.out());
        line.setErr(environment.err());
        line.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
        line.setUsageHelpWidth(100);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(BigDecimal.class, Cli::number);
        offerHelp(line);
        translate(line, environment.language());
        return line;
    }

    /** The library would tell the class of the exception. */
    private static BigDecimal number(String typed) {
        try {
            return new BigDecimal(typed);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(text("input.no-number", typed));
        }
    }

    /** Adds {@code -h} and {@code --help} to every command. */
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

    /** English stands in the annotations, and in picocli itself. */
    private static void translate(CommandLine line, CliLanguage language) {
        if (language != CliLanguage.ENGLISH) {
            line.setResourceBundle(language.texts("help"));
            line.setParameterExceptionHandler(new UsageErrors(language));
        }
    }

    private static int report(CliEnvironment environment, Exception problem, String[] args) {
        var failure = problem instanceof Failure known ? known : Failure.unexpected(problem);
        environment.err().println(isForProgram(args) ? failure.json() : Text.printable(failure.sentence()));
        return failure.exitCode();
    }

    /** Creates commands with their environment, and picocli's own objects by default. */
    private record Factory(CliEnvironment environment) implements IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {CliEnvironment.class})) {
                    try {
                        return type.cast(constructor.newInstance(environment));
                    } catch (InvocationTargetException e) {
                        throw new IllegalStateException(e.getCause());
                    }
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
