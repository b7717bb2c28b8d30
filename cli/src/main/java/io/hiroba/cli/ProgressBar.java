package io.hiroba.cli;

/** A line that shows how far something is, where somebody sits at a terminal. */
final class ProgressBar {

    private static final int LENGTH = 30;

    private final Surroundings around;
    private String shown = "";

    ProgressBar(Surroundings around) {
        this.around = around;
    }

    void show(String what, long done, long all, String more) {
        if (!around.terminal().input()) {
            return;
        }
        int full = all == 0 ? 0 : (int) Math.min(LENGTH, done * LENGTH / all);
        int percent = all == 0 ? 0 : (int) Math.min(100, done * 100 / all);
        var line = "%s |%s%s| %3d %% %s".formatted(what, "█".repeat(full), " ".repeat(LENGTH - full), percent, more);
        if (!line.equals(shown)) {
            around.err().print("\r" + line + " ".repeat(Math.max(0, shown.length() - line.length())));
            around.err().flush();
            shown = line;
        }
    }

    /** Makes room for what is said next. */
    void end() {
        if (!shown.isEmpty()) {
            around.err().print("\r" + " ".repeat(shown.length()) + "\r");
            around.err().flush();
            shown = "";
        }
    }
}
