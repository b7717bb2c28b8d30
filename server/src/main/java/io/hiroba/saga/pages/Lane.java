package io.hiroba.saga.pages;

import java.util.List;
import java.util.Locale;

/**
 * One step on the timeline: being executed, or being undone.
 *
 * @param id its name on the page
 * @param number its place in the order, from 1 on: what runs side by side has the same
 * @param about what it calls or waits for
 * @param state how it stands
 */
public record Lane(
        String id, int number, String name, String about, State state, List<Bar> bars, List<AttemptView> attempts) {

    public Lane {
        bars = List.copyOf(bars);
        attempts = List.copyOf(attempts);
    }

    /** How a step stands; with an icon, since colour alone tells not everybody. */
    public enum State {
        NOT_BEGUN("Not begun", "more"),
        UNDER_WAY("Under way", "flow"),
        WAITING_FOR_SIGNAL("Waits for a signal", "clock"),
        WAITING_FOR_RETRY("Waits for the next attempt", "clock"),
        DONE("Done", "check"),
        FAILED("Failed", "alert"),
        TIMED_OUT("Timed out", "alert"),
        SKIPPED("Nothing undoes it", "more"),
        UNDONE("Undone", "reply"),
        STUCK("Stuck", "alert");

        private final String label;
        private final String icon;

        State(String label, String icon) {
            this.label = label;
            this.icon = icon;
        }

        public String label() {
            return label;
        }

        public String icon() {
            return icon;
        }

        /** The name of its style. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
