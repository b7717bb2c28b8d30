package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.platform.id.Ids;

/** The id of a webhook's call. */
public record DeliveryId(long value) {

    public static DeliveryId parse(String hex) {
        return new DeliveryId(Ids.parse(hex));
    }

    public String hex() {
        return Ids.hex(value);
    }

    @Override
    public String toString() {
        return hex();
    }
}
