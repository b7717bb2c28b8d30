package io.hiroba.social.media.picture;

import java.util.Map;

/** A picture as it is stored: in full, and as thumbnails whose longer side is at most 512 and 128 pixels. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Renditions(PictureFormat encoding, int width, int height, byte[] full, byte[] medium, byte[] small) {

    public static final int MEDIUM = 512;
    public static final int SMALL = 128;

    /** The files by the suffix of their names. */
    public Map<String, byte[]> files() {
        return Map.of("", full, "." + MEDIUM, medium, "." + SMALL, small);
    }
}
