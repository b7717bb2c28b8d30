package io.hiroba.social.media;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** A picture's id. */
record ImageId(long value) implements SnowflakeId {

    static ImageId parse(String hex) {
        return new ImageId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
