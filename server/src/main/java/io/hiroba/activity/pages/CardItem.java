package io.hiroba.activity.pages;

import io.hiroba.activity.Kind;
import io.hiroba.activity.Wording;
import io.hiroba.platform.web.Avatar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A card in a list.
 *
 * @param day the day as its reader calls it
 * @param ago how long ago its newest act was, on the day itself
 * @param exact the moment of its newest act
 * @param target where it leads
 */
public record CardItem(
        Kind kind,
        Wording wording,
        String day,
        @Nullable String ago,
        @Nullable String exact,
        MarkView mark,
        String target,
        List<MuteChoice> mutes) {

    public CardItem {
        mutes = List.copyOf(mutes);
    }

    public String icon() {
        return switch (kind) {
            case FOLLOW -> "person";
            case LIKE -> "heart";
            case REPLY -> "reply";
            case MENTION -> "at";
        };
    }

    public List<Avatar> faces() {
        return wording.people().stream()
                .map(person -> Avatar.of(person.id().hex(), person.nickname(), person.avatar()))
                .toList();
    }
}
