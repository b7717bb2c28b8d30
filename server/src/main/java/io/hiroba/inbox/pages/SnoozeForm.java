package io.hiroba.inbox.pages;

import io.hiroba.inbox.SnoozePreset;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import java.util.Collection;
import java.util.List;
import java.util.Set;
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
    public record Choice(String value, Text label, String when) {

        static List<Choice> times(Reader reader) {
            return Stream.of(SnoozePreset.values())
                    .map(preset -> new Choice(
                            preset.text(),
                            Text.of("inbox.preset." + preset.text()),
                            reader.upcoming(preset.end(reader.now(), reader.zone()))))
                    .toList();
        }

        static List<Choice> events(Collection<Set<SnoozeEvent>> possible) {
            return Stream.of(SnoozeEvent.values())
                    .filter(event -> possible.stream().allMatch(events -> events.contains(event)))
                    .map(event -> new Choice(event.text(), ItemText.until(event), ""))
                    .toList();
        }
    }

    /** @param possible the events which each of the items may be snoozed until; a script sees to it in a dialog */
    static SnoozeForm of(List<String> ids, Collection<Set<SnoozeEvent>> possible, Reader reader, String back) {
        var inTwoDays =
                reader.now().atZone(reader.zone()).plusDays(2).withHour(8).withMinute(0);
        return new SnoozeForm(
                ids,
                Choice.times(reader),
                Choice.events(possible),
                reader.picker(reader.now()),
                reader.picker(inTwoDays.toInstant()),
                reader.zoneName(),
                back);
    }
}
