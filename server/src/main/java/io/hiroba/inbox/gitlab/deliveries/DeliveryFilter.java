package io.hiroba.inbox.gitlab.deliveries;

import org.jspecify.annotations.Nullable;

/** Which deliveries are looked for; null for all. */
public record DeliveryFilter(
        @Nullable DeliveryState state, @Nullable String event) {

    public static final DeliveryFilter ALL = new DeliveryFilter(null, null);
}
