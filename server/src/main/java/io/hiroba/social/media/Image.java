package io.hiroba.social.media;

import io.hiroba.accounts.UserId;
import io.hiroba.social.media.picture.Encoding;
import io.hiroba.social.media.picture.Renditions;
import java.util.List;
import java.util.Locale;

/**
 * An uploaded picture.
 *
 * @param bytes the size of the file that was uploaded, which is what counts in the month
 */
public record Image(UserId owner, ImageId id, Purpose purpose, Encoding encoding, int width, int height, long bytes) {

    /** What a picture was uploaded for. */
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

    /** Where it is shown in full. */
    public String path() {
        return file("").path();
    }

    /** Where it is shown with its longer side at most {@code size}, one of the two there are. */
    public String path(int size) {
        return file("." + size).path();
    }

    /** All files of a picture. */
    static List<MediaFile> files(UserId owner, ImageId id, Encoding encoding) {
        return List.of(
                new MediaFile(owner, id, "", encoding),
                new MediaFile(owner, id, "." + Renditions.MEDIUM, encoding),
                new MediaFile(owner, id, "." + Renditions.SMALL, encoding));
    }

    private MediaFile file(String suffix) {
        return new MediaFile(owner, id, suffix, encoding);
    }
}
