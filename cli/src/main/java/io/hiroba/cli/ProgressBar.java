package io.hiroba.cli;

/** A progress line on a terminal. */
final class ProgressBar {

    private static final int LENGTH = 30;

    private final CliEnvironment environment;
    private String shown = "";

    ProgressBar(CliEnvironment environment) {
        this.environment = environment;
    }

    void show(String what, long done, long all, String more) {
        if (!environment.terminal().input()) {
            return;
        }
        int full = all == 0 ? 0 : (int) Math.min(LENGTH, done * LENGTH / all);
        int percent = all == 0 ? 0 : (int) Math.min(100, done * 100 / all);
        var line = "%s |%s%s| %3d %% %s".formatted(what, "█".repeat(full), " ".repeat(LENGTH - full), percent, more);
        if (!line.equals(shown)) {
            environment.err().print("\r" + line + " ".repeat(Math.max(0, Text.width(shown) - Text.width(line))));
            environment.err().flush();
            shown = line;
        }
    }

    /** Clears the line. */
    void end() {
        if (!shown.isEmpty()) {
            environment.err().print("\r" + " ".repeat(Text.width(shown)) + "\r");
            environment.err().flush();
            shown = "";
        }
    }
}
