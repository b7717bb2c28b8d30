package io.hiroba.social.media;

import io.hiroba.platform.id.Ids;
import java.time.Instant;

/** A picture's id. */
public record ImageId(long value) {

    public static ImageId parse(String hex) {
        return new ImageId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    public Instant createdAt() {
        return Ids.createdAt(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
