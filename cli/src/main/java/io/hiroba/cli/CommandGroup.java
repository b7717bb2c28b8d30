package io.hiroba.cli;

import org.jspecify.annotations.Nullable;
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
            throw new ParameterException(
                    spec.commandLine(),
                    "Say what to do: " + String.join(", ", spec.subcommands().keySet()) + ".");
        }
    }
}
