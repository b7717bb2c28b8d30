package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A group of subcommands, which cannot be run alone. */
abstract class CommandGroup implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public final void run() {
        if (spec != null) {
            throw new Unfinished(
                    spec.commandLine(),
                    text("usage.say-what", String.join(", ", spec.subcommands().keySet())));
        }
    }

    /** A command that names the group alone, with a sentence in the language of the run. */
    static final class Unfinished extends ParameterException {
        private static final long serialVersionUID = 1L;

        private Unfinished(CommandLine line, String sentence) {
            super(line, sentence);
        }
    }
}
