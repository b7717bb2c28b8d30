package io.hiroba.inbox.gitlab.deliveries;

/** How many deliveries there are of a kind of event in a state. */
public record EventCount(String event, DeliveryState state, long count) {}
