package io.hiroba.platform;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A line of the state of the system at this moment, with a judgement.
 *
 * @param code its name for programs, such as {@code mail-queue}
 * @param advice what to look at; null if all is well
 */
public record SystemCheck(
        Group group,
        String code,
        Text label,
        Text value,
        @Nullable Text advice) {

    private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB"};

    /** The parts of the page that lines stand in. */
    public enum Group {
        NODE,
        NODES,
        DATABASE,
        WORK;

        /** The value in JSON, and the end of the heading's key. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A line about which nothing is to be done. */
    public static SystemCheck of(Group group, String code, Text label, Text value) {
        return new SystemCheck(group, code, label, value, null);
    }

    /** The same line with advice where {@code isNeeded}. */
    public SystemCheck adviseIf(boolean isNeeded, Text text) {
        return isNeeded ? new SystemCheck(group, code, label, value, text) : this;
    }

    public boolean isFine() {
        return advice == null;
    }

    /** A length of time in its largest unit. */
    public static Text duration(Duration time) {
        if (time.compareTo(Duration.ofMinutes(2)) < 0) {
            return Text.of("system.seconds", "count", Math.max(0, time.toSeconds()));
        }
        if (time.compareTo(Duration.ofHours(2)) < 0) {
            return Text.of("system.minutes", "count", time.toMinutes());
        }
        return time.compareTo(Duration.ofDays(2)) < 0
                ? Text.of("system.hours", "count", time.toHours())
                : Text.of("system.days", "count", time.toDays());
    }

    /** A number of bytes in its largest unit. */
    public static Text size(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1000 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return Text.verbatim(unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]));
    }

    /** A number that was counted up to {@code max}. */
    public static Text counted(long count, int max) {
        return count > max ? Text.of("system.more-than", "count", max) : Text.of("system.number", "count", count);
    }
}
