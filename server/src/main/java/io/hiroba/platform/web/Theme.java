package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A colour theme: dark, light, or the one that the reader's system prefers. */
public enum Theme {
    AUTO,
    LIGHT,
    DARK;

    /** Parses the value of a form or cookie; anything else is the system's choice. */
    public static Theme parse(@Nullable String name) {
        return switch (name) {
            case "light" -> LIGHT;
            case "dark" -> DARK;
            case null, default -> AUTO;
        };
    }

    /** The value of the attribute on the root element; none leaves the choice to the system. */
    public @Nullable String attribute() {
        return this == AUTO ? null : word();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Text label() {
        return Text.of("shell.theme-" + word());
    }

    /** The theme that the toggle switches to. */
    public Theme next() {
        return switch (this) {
            case AUTO -> LIGHT;
            case LIGHT -> DARK;
            case DARK -> AUTO;
        };
    }
}
