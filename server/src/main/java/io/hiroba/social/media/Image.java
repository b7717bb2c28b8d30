package io.hiroba.social.media;

import io.hiroba.accounts.UserId;
import io.hiroba.social.media.picture.PictureFormat;
import io.hiroba.social.media.picture.Renditions;
import java.util.List;
import java.util.Locale;

/**
 * An uploaded picture.
 *
 * @param bytes the size of the file that was uploaded, which is what counts in the month
 */
record Image(UserId owner, ImageId id, Purpose purpose, PictureFormat encoding, int width, int height, long bytes) {

    /** The purpose of a picture. */
    public enum Purpose {
        IMAGE,
        AVATAR;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Purpose of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** The path of the full picture. */
    String path() {
        return file("").path();
    }

    /** The path of the thumbnail whose longer side is at most {@code size}. */
    String path(int size) {
        return file("." + size).path();
    }

    /** All files of a picture. */
    static List<MediaFile> files(UserId owner, ImageId id, PictureFormat encoding) {
        return List.of(
                new MediaFile(owner, id, "", encoding),
                new MediaFile(owner, id, "." + Renditions.MEDIUM, encoding),
                new MediaFile(owner, id, "." + Renditions.SMALL, encoding));
    }

    private MediaFile file(String suffix) {
        return new MediaFile(owner, id, suffix, encoding);
    }
}
