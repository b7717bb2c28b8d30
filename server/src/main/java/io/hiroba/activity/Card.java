package io.hiroba.activity;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one resource of a reader on one day, as that reader sees it.
 *
 * @param term the day, as {@code 2025-08-22}
 * @param updatedAt when its newest act was put down, to the microsecond
 * @param countPosts replies or posts with mentions; none where acts are no posts
 * @param post what it is about; none for follows, and where the post is gone
 * @param acts the newest ten, newest first, but for people who are gone
 */
public record Card(
        Slot slot,
        String term,
        boolean read,
        Instant createdAt,
        Instant updatedAt,
        int countUsers,
        @Nullable Integer countPosts,
        @Nullable CardPost post,
        List<Act> acts) {

    /** Where it stands in its list. */
    public CardPosition position() {
        return new CardPosition(updatedAt, slot.text(), term);
    }
}
