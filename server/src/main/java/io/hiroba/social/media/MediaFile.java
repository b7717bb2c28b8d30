package io.hiroba.social.media;

import io.hiroba.accounts.UserId;
import io.hiroba.social.media.picture.PictureFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One file of a picture, such as {@code 0198C2E846E00000/0198C2E9A1200000.512.jpg}: the owner's folder, the picture's
 * id, the size of a thumbnail. Any other name is rejected, so that no path leads out of the folder.
 *
 * @param suffix empty for the full picture
 */
record MediaFile(UserId owner, ImageId id, String suffix, PictureFormat encoding) {

    static final String ROOT = "/media/";

    private static final Pattern OWNER = Pattern.compile("[0-7][0-9A-F]{15}");
    private static final Pattern NAME = Pattern.compile("([0-7][0-9A-F]{15})(\\.512|\\.128|)\\.(jpg|png)");

    static Optional<MediaFile> parse(String owner, String name) {
        var parts = NAME.matcher(name);
        if (!OWNER.matcher(owner).matches() || !parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(new MediaFile(
                UserId.parse(owner), ImageId.parse(parts.group(1)), parts.group(2), PictureFormat.of(parts.group(3))));
    }

    /** The key in the storage. */
    String key() {
        return owner.hex() + "/" + name();
    }

    String name() {
        return id.hex() + suffix + "." + encoding.extension();
    }

    /** The URL path. */
    String path() {
        return ROOT + key();
    }
}
