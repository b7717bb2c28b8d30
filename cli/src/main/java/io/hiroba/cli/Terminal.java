package io.hiroba.cli;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The properties of the terminal, if there is one.
 *
 * @param input whether standard input is a terminal
 * @param colours whether output may be coloured
 * @param width the columns of a line
 */
record Terminal(boolean input, boolean colours, int width) {

    private static final int USUAL = 80;
    private static final int NARROWEST = 20;
    private static final int WIDEST = 100;

    /** Pipes and files. */
    static final Terminal NONE = new Terminal(false, false, USUAL);

    /** A shell does not export COLUMNS; the launcher does. */
    static Terminal ofProcess(Map<String, String> environment) {
        boolean typed = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        boolean plain = environment.containsKey("NO_COLOR") || "dumb".equals(environment.get("TERM"));
        return new Terminal(typed, typed && !plain, width(environment.get("COLUMNS")));
    }

    private static int width(@Nullable String columns) {
        try {
            return columns == null ? USUAL : Math.clamp(Integer.parseInt(columns.strip()), NARROWEST, WIDEST);
        } catch (NumberFormatException e) {
            return USUAL;
        }
    }
}
