package io.hiroba.cli;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The terminal, pipes or files that the client reads and writes.
 *
 * @param input whether somebody types
 * @param colours whether what is printed may be coloured
 * @param width the columns a line may take
 */
record Terminal(boolean input, boolean colours, int width) {

    private static final int USUAL = 80;
    private static final int NARROWEST = 20;
    private static final int WIDEST = 100;

    /** Where nothing is a terminal: pipes and files. */
    static final Terminal NONE = new Terminal(false, false, USUAL);

    /** A shell keeps the width of its terminal to itself; the launcher passes it on as COLUMNS. */
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
