package io.hiroba.inbox.pages;

import java.util.List;

/**
 * The ways of putting items off.
 *
 * @param ids of which items; none yet in a dialog that waits for some
 * @param earliest and {@code suggested}: as an input for local times takes them
 * @param back the page to come back to
 */
public record SnoozeSheet(
        List<String> ids,
        List<SnoozeChoice> times,
        List<SnoozeChoice> events,
        String earliest,
        String suggested,
        String zone,
        String back) {

    static SnoozeSheet of(List<String> ids, Moments moments, String back) {
        var inTwoDays =
                moments.now().atZone(moments.zone()).plusDays(2).withHour(8).withMinute(0);
        return new SnoozeSheet(
                ids,
                SnoozeChoice.times(moments),
                SnoozeChoice.events(),
                moments.picked(moments.now()),
                moments.picked(inTwoDays.toInstant()),
                moments.zone().getId(),
                back);
    }
}
