package io.hiroba.inbox.pages;

import io.hiroba.inbox.fanout.Stir;
import io.hiroba.inbox.items.SnoozePreset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Until when an item can be put off by one press of a button.
 *
 * @param when the time that this is, where it is one
 */
public record SnoozeChoice(String value, String label, String when) {

    static List<SnoozeChoice> times(Moments moments) {
        return Stream.of(SnoozePreset.values())
                .map(preset -> new SnoozeChoice(
                        preset.text(), label(preset), moments.coming(preset.end(moments.now(), moments.zone()))))
                .toList();
    }

    static List<SnoozeChoice> events() {
        return Stream.of(Stir.values())
                .map(stir -> new SnoozeChoice(stir.text(), capitalised(Wording.until(stir)), ""))
                .toList();
    }

    private static String label(SnoozePreset preset) {
        return switch (preset) {
            case ONE_HOUR -> "For 1 hour";
            case FOUR_HOURS -> "For 4 hours";
            case TOMORROW -> "Until tomorrow morning";
            case NEXT_WEEK -> "Until next week";
        };
    }

    private static String capitalised(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
