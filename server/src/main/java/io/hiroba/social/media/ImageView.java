package io.hiroba.social.media;

import io.hiroba.social.media.picture.Renditions;
import java.time.Instant;

/**
 * A picture as JSON shows it.
 *
 * @param path what a post's Markdown names: {@code ![alt](path)}
 * @param bytes the size of the file that was uploaded
 */
record ImageView(String id, String path, Thumbnails thumbnails, int width, int height, long bytes, Instant createdAt) {

    /** Where the picture is shown with its longer side at most 512 and 128 pixels. */
    record Thumbnails(String medium, String small) {}

    static ImageView of(Image image) {
        return new ImageView(
                image.id().hex(),
                image.path(),
                new Thumbnails(image.path(Renditions.MEDIUM), image.path(Renditions.SMALL)),
                image.width(),
                image.height(),
                image.bytes(),
                image.id().createdAt());
    }
}
