package io.hiroba.inbox.gitlab;

import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;

/** The id of a webhook delivery. */
public record DeliveryId(long value) implements SnowflakeId {

    public static DeliveryId parse(String hex) {
        return new DeliveryId(Ids.parse(hex));
    }

    @Override
    public String toString() {
        return hex();
    }
}
