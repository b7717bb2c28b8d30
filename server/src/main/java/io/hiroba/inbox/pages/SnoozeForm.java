package io.hiroba.inbox.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.inbox.SnoozePreset;
import io.hiroba.inbox.fanout.SnoozeEvent;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The form that snoozes items.
 *
 * @param ids the items; empty in a dialog, which is filled by a script
 * @param earliest a value of an input of type datetime-local, as {@code suggested}
 * @param back the page to return to
 */
public record SnoozeForm(
        List<String> ids,
        List<Choice> times,
        List<Choice> events,
        String earliest,
        String suggested,
        String zone,
        String back) {

    /**
     * A preset end of a snooze, with its time.
     *
     * @param when its time; empty for an event
     */
    public record Choice(String value, String label, String when) {

        static List<Choice> times(Reader clock) {
            return Stream.of(SnoozePreset.values())
                    .map(preset -> new Choice(
                            preset.text(), label(preset), clock.upcoming(preset.end(clock.now(), clock.zone()))))
                    .toList();
        }

        static List<Choice> events() {
            return Stream.of(SnoozeEvent.values())
                    .map(event -> new Choice(event.text(), capitalised(ItemText.until(event)), ""))
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

    static SnoozeForm of(List<String> ids, Reader clock, String back) {
        var inTwoDays = clock.now().atZone(clock.zone()).plusDays(2).withHour(8).withMinute(0);
        return new SnoozeForm(
                ids,
                Choice.times(clock),
                Choice.events(),
                clock.picker(clock.now()),
                clock.picker(inTwoDays.toInstant()),
                clock.zone().getId(),
                back);
    }
}
