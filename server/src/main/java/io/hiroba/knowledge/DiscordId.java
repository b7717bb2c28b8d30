package io.hiroba.knowledge;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.RefusedValueException;
import org.jspecify.annotations.Nullable;

/**
 * The id of a Discord guild, channel, thread, user or message. It exceeds the numbers of many languages, so JSON holds
 * it as a string; numbers are accepted too.
 */
public record DiscordId(long value) {

    private static final int MAX_DIGITS = 19;

    public DiscordId {
        if (value < 0) {
            throw new RefusedValueException(Text.of("http.field.digits", "max", MAX_DIGITS));
        }
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static DiscordId of(long value) {
        return new DiscordId(value);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static DiscordId of(String digits) {
        try {
            return new DiscordId(digits.matches("[0-9]{1,19}") ? Long.parseLong(digits) : -1);
        } catch (NumberFormatException e) {
            return new DiscordId(-1);
        }
    }

    public static @Nullable Long valueOf(@Nullable DiscordId id) {
        return id == null ? null : id.value;
    }

    /** As the API writes it. */
    public static @Nullable String textOf(@Nullable Long value) {
        return value == null ? null : Long.toString(value);
    }

    @JsonValue
    public String text() {
        return Long.toString(value);
    }
}
