package io.hiroba.activity.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of the settings as far as it is shown; {@code more} is the address of its next page, if there is one. */
public record NotedList(
        Name name, List<NotedItem> items, @Nullable String more) {

    public NotedList {
        items = List.copyOf(items);
    }

    /** Which lists there are, what stands above each, and what its button does. */
    public enum Name {
        PEOPLE("people", "Muted people", "Unmute", "/unmute"),
        POSTS("posts", "Muted posts", "Unmute", "/unmute"),
        FOLLOWED("followed", "Posts whose replies you follow", "Stop", "/unfollow-replies");

        private final String text;
        private final String heading;
        private final String button;
        private final String action;

        Name(String text, String heading, String button, String action) {
            this.text = text;
            this.heading = heading;
            this.button = button;
            this.action = action;
        }

        /** As addresses name it. */
        public String text() {
            return text;
        }

        public String heading() {
            return heading;
        }

        public String button() {
            return button;
        }

        /** Below the path of the item. */
        public String action() {
            return action;
        }
    }
}
