package io.hiroba.social.media;

import java.util.List;

/**
 * Some of a user's images, newest first.
 *
 * @param usedBytes what the user has uploaded in this month
 */
public record ImageList(List<Image> images, long usedBytes) {

    public ImageList {
        images = List.copyOf(images);
    }
}
